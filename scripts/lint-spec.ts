/**
 * Our own rules of `redocly lint`, for what its recommended ones do not know: traps of the tools that read the document
 * (each rule says which), and the form that the document promises. A plugin of redocly.yaml.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Node = Record<string, any>;
type Report = { message: string; location?: unknown };
interface Context {
  report(this: void, problem: Report): void;
  resolve(node: unknown, from?: string): { node?: Node; location?: { source: { absoluteRef: string } } };
  location: { key(): unknown; child(path: string | string[]): unknown; source: { absoluteRef: string } };
  key: string | number;
}
type Visitor = Record<string, unknown>;

const codes: Readonly<Record<string, string>> = {
  400: 'invalid-input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  429: 'rate-limited',
  500: 'internal-error',
  503: 'dependency-unavailable',
};

/** What GEN-08 lets grow, and the words of a network that its tables do not close. */
const openVocabularies = [
  'network',
  'reason',
  'gender',
  'ageBucket',
  'badges',
  'mediaAudioType',
  'mediaType',
  'mediaProductType',
];

/** Outside the compatibility promise (DOC-12). */
const opaque = [
  'audienceDemographics',
  'creatorEngagedAccountsBreakdowns',
  'audienceDistributions',
  'vibeAnalysis',
  'subjectAnalysis',
];

const requiredHeaders: Readonly<Record<string, readonly string[]>> = {
  202: ['Retry-After'],
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** What a node is, behind its reference, and the file that it stands in: references inside are relative to that. */
function locate(node: unknown, context: Context, from?: string): { node: Node; from: string | undefined } {
  if (typeof node !== 'object' || node === null) return { node: {}, from };
  if (!('$ref' in node)) return { node, from };
  const found = context.resolve(node, from);
  return { node: found.node ?? {}, from: found.location?.source.absoluteRef };
}

const follow = (node: unknown, context: Context, from?: string): Node => locate(node, context, from).node;

/** Prism: with it all validation of bodies is silently off. */
const noDialect = (): Visitor => ({
  Root(root: Node, { report, location }: Context) {
    if ('jsonSchemaDialect' in root)
      report({
        message: 'jsonSchemaDialect switches off validation in Prism',
        location: location.child('jsonSchemaDialect'),
      });
  },
});

/** express-openapi-validator drops what stands beside a reference, and does not find what lies in $defs. */
const plainReferences = (): Visitor => ({
  ref(node: Node, { report }: Context) {
    const beside = Object.keys(node).filter((key) => !['$ref', 'description', 'summary'].includes(key));
    if (beside.length > 0) report({ message: `${beside.join(', ')} beside $ref is dropped by validators` });
    if (String(node['$ref']).includes('$defs')) report({ message: 'a $ref into $defs is not found by validators' });
  },
});

/** express-openapi-validator: without it `netB:ada` and URLs are refused as "must be url encoded". */
const allowReserved = (): Visitor => ({
  Parameter(parameter: Node, context: Context) {
    const isText = follow(parameter['schema'], context)['type'] === 'string';
    if (parameter['in'] === 'query' && isText && parameter['allowReserved'] !== true)
      context.report({ message: `the query parameter ${parameter['name']} needs allowReserved: true` });
  },
});

/** CRE-05: with an enum a validator answers 400 where the contract says 404. */
const openPaths = (): Visitor => ({
  Parameter(parameter: Node, context: Context) {
    const closed = ['enum', 'const', 'pattern', 'minLength', 'maxLength'].filter(
      (word) => word in follow(parameter['schema'], context),
    );
    if (parameter['in'] === 'path' && closed.length > 0)
      context.report({
        message: `${closed.join(', ')} on the path parameter ${parameter['name']} makes a 400 of a 404 (CRE-05, CRE-10)`,
      });
  },
});

const openWords = (): Visitor => ({
  Schema(schema: Node, context: Context) {
    for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Node)) {
      const words = follow(property, context);
      const items = follow(words['items'], context);
      const closed = ['enum', 'const', 'pattern', 'anyOf'].filter((word) => word in words || word in items);
      if (openVocabularies.includes(name) && closed.length > 0)
        context.report({
          message: `${name} is an open vocabulary, so no ${closed.join(', ')} (GEN-08)`,
          location: context.location.child(['properties', name]),
        });
    }
  },
});

const opaqueGroups = (): Visitor => ({
  Schema(schema: Node, context: Context) {
    for (const name of opaque.filter((key) => key in (schema['properties'] ?? {}))) {
      const constraints = Object.keys(schema['properties'][name]).filter(
        (key) => !['description', 'examples'].includes(key),
      );
      const where = context.location.child(['properties', name]);
      if (constraints.length > 0)
        context.report({
          message: `${name} is never constrained inside: no ${constraints.join(', ')} (DOC-12)`,
          location: where,
        });
    }
  },
});

/** Responses stay open: a new optional field is not breaking (VER-02). */
const openObjects = (): Visitor => ({
  Schema(schema: Node, { report }: Context) {
    if ('additionalProperties' in schema || 'unevaluatedProperties' in schema)
      report({ message: 'objects stay open in the document (VER-02)' });
  },
});

const described = (): Visitor => ({
  Schema(schema: Node, context: Context) {
    for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Node)) {
      const says = property === false || property.description || follow(property, context)['description'];
      if (!says)
        context.report({
          message: `the property ${name} has no description`,
          location: context.location.child(['properties', name]),
        });
    }
  },
});

const shown = (): Visitor => ({
  MediaType(media: Node, { report }: Context) {
    if (Object.keys(media['examples'] ?? {}).length === 0) report({ message: 'no example is shown here' });
  },
});

/** Every operation: all error statuses, the scope of its resource, its envelope and headers. */
const operations = (): Visitor => ({
  Operation(operation: Node, context: Context) {
    const missing = ['200', ...Object.keys(codes)].filter((status) => !(status in operation['responses']));
    if (missing.length > 0)
      context.report({ message: `${operation['operationId']} does not document ${missing.join(', ')}` });
    const scope = `${operation['tags']?.[0]}:read`;
    if (JSON.stringify(operation['security']) !== JSON.stringify([{ bearer: [scope] }]))
      context.report({
        message: `${operation['operationId']} needs the scope ${scope} of the scheme bearer, and nothing else`,
      });
    for (const [status, response] of Object.entries(operation['responses'] as Node)) {
      for (const message of responseFaults(status, response, context)) {
        context.report({
          message: `${operation['operationId']} ${status}: ${message}`,
          location: context.location.child(['responses', status]),
        });
      }
    }
  },
});

function responseFaults(status: string, reference: unknown, context: Context): string[] {
  const { node: response, from } = locate(reference, context);
  const faults = ['x-request-id', ...(requiredHeaders[status] ?? [])]
    .filter((name) => follow(response['headers']?.[name], context, from)['required'] !== true)
    .map((name) => `the header ${name} must be required`);
  const schema = follow(response['content']?.['application/json']?.schema, context, from);
  const code = schema['properties']?.error?.properties?.code?.const;
  const wanted = codes[status];
  if (wanted && code !== wanted) faults.push(`error.code must be const ${wanted} (ERR-02)`);
  return faults;
}

const folders = ['schemas', 'responses', 'requestBodies', 'headers', 'parameters', 'examples', 'paths'];

/** A component is named by its file, so a file that nothing refers to would silently be no component. */
const files = (): Visitor => {
  const seen = new Set<string>();
  return {
    any: { enter: (_: unknown, { location }: Context) => void seen.add(location.source.absoluteRef) },
    ref: {
      leave: (_: unknown, __: Context, resolved: { location?: Context['location'] }) =>
        void (resolved.location && seen.add(resolved.location.source.absoluteRef)),
    },
    Root: {
      leave(_: Node, { report, location }: Context) {
        for (const file of componentFiles(dirname(pathOf(location.source.absoluteRef)))) {
          if (![...seen].some((source) => pathOf(source) === file)) report({ message: `nothing refers to ${file}` });
          if (!file.includes('/paths/') && !/\/[A-Z]\w*\.yaml$/.test(file))
            report({ message: `${file} is not named as a component` });
        }
      },
    },
  };
};

const pathOf = (reference: string): string => (reference.startsWith('file:') ? fileURLToPath(reference) : reference);

function componentFiles(spec: string): string[] {
  return folders.flatMap((folder) => readdirSync(join(spec, folder)).map((name) => join(spec, folder, name)));
}

export default function plugin() {
  const oas3 = {
    'no-dialect': noDialect,
    'plain-references': plainReferences,
    'allow-reserved': allowReserved,
    'open-paths': openPaths,
    'open-words': openWords,
    'opaque-groups': opaqueGroups,
    'open-objects': openObjects,
    described,
    shown,
    operations,
    files,
  };
  return { id: 'contract', rules: { oas3 } };
}
