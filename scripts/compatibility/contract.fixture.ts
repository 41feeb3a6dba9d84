import { readBundle } from '../bundle.ts';
import type { Body, Bundle, Operation, Parameter, Response, Schema } from '../bundle.ts';
import { breakingChanges } from './changes.ts';

/** An edit of the contract. */
export type Change = (contract: Contract) => unknown;

/** A copy of the contract, with short ways to the places that a change concerns. */
export class Contract {
  readonly bundle: Bundle = structuredClone(readBundle());

  schema(name: string): Required<Pick<Schema, 'properties' | 'required'>> & Schema {
    return this.bundle.components.schemas[name] as Required<Pick<Schema, 'properties' | 'required'>> & Schema;
  }
  property(name: string, field: string): Schema {
    return this.schema(name).properties[field] as Schema;
  }
  operation(path: string, method = 'get'): Operation {
    return this.bundle.paths[path]?.[method] as Operation;
  }
  parameter(name: string): Parameter & { schema: Schema } {
    return this.bundle.components['parameters']?.[name] as Parameter & { schema: Schema };
  }
  response(name: string): Required<Response> {
    return this.bundle.components['responses']?.[name] as Required<Response>;
  }
  /** The schema of a JSON response. */
  json(name: string): Schema {
    return this.response(name).content['application/json']!.schema;
  }
  header(name: string): { required?: boolean; schema: Schema } {
    return this.bundle.components['headers']?.[name] as { required?: boolean; schema: Schema };
  }
  requestBodies(): Body[] {
    return Object.values(this.bundle.components['requestBodies'] ?? {}) as Body[];
  }
  nullable(name: string, field: string): void {
    const schema = this.property(name, field);
    schema.type = [schema.type as string, 'null'];
  }
  optional(name: string, field: string): void {
    this.schema(name).required = this.schema(name).required.filter((one) => one !== field);
  }
}

/** What the gate says of a change; `given` is done to the released contract first. */
export function judged(change: Change, given: Change = () => {}): string[] {
  const [released, present] = [new Contract(), new Contract()];
  given(released);
  change(present);
  return breakingChanges(released.bundle, present.bundle);
}
