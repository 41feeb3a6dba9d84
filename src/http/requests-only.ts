import type { ContractDocument } from './contract.ts';

const reference = /"\$ref":"#\/components\/(\w+)\/([^"/]+)/g;

/**
 * The document without its responses and without what only they refer to. express-openapi-validator compiles every schema that it is
 * shown, also if it is to validate requests alone: with all of them every start would keep 4 MB more.
 */
export function requestsOnly(bundle: ContractDocument): ContractDocument {
  const paths = mapValues(bundle.paths, (item) =>
    mapValues(item, (member) => (member.responses === undefined ? member : { ...member, responses: {} })),
  );
  const { securitySchemes = {} } = bundle.components;
  const components: Record<string, Record<string, unknown>> = { securitySchemes };

  function takeReferred(from: unknown): void {
    for (const [, section = '', name = ''] of JSON.stringify(from).matchAll(reference)) {
      const taken = (components[section] ??= {});
      if (name in taken) continue;
      taken[name] = bundle.components[section]?.[name];
      takeReferred(taken[name]);
    }
  }
  takeReferred(paths);
  return { ...bundle, paths, components };
}

const mapValues = <Value, Mapped>(
  record: Record<string, Value>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
