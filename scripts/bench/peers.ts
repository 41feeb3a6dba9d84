/**
 * The peers of `npm run bench`: the same answers out of other stacks. Run as `node peers.ts NAME WORLD_FILE`; tells its parent its port.
 *
 * None of them looks anything up: each picks a ready answer by the look of the request. None but `fastify-duties` authenticates, counts a budget
 * or logs. Each has less to do than the service.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { World } from './compare.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: object;
  /** Of the contract. */
  readonly schema: string;
  /** Under which Prism knows it. */
  readonly example: string;
}

const [name = '', worldFile = ''] = process.argv.slice(2);
const world = JSON.parse(readFileSync(worldFile, 'utf8')) as World;
const bundle = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as object;

const common = { 'x-request-id': 'bench', 'cache-control': 'no-store' };
const jsonType = { 'content-type': 'application/json; charset=utf-8' };
const wait = { ...common, 'retry-after': '1' };
const limits = { 'ratelimit-policy': '"default";q=60;w=60', ratelimit: '"default";r=0' };
const creator: Answer = {
  status: 200,
  headers: common,
  body: world.creator,
  schema: 'CreatorResponse',
  example: 'creator',
};
const creatorWithPosts: Answer = { ...creator, body: world.creatorWithPosts, example: 'creator-posts' };
const analysis: Answer = {
  status: 200,
  headers: common,
  body: world.analysis,
  schema: 'PostResponse',
  example: 'analysis',
};
const fetching: Answer = {
  status: 202,
  headers: wait,
  body: world.fetching,
  schema: 'FetchingResponse',
  example: 'fetching',
};
const limited: Answer = {
  status: 429,
  headers: { ...wait, ...limits },
  body: world.limited,
  schema: 'RateLimitedError',
  example: 'limited',
};

const batches = new Map<number, Answer>();

/** As many posts as identifiers. The object is kept: putting it together is no part of what is compared. */
function batchOf(count: number): Answer {
  let batch = batches.get(count);
  if (!batch) {
    const body = { data: world.posts.slice(0, count), fetching: [], unavailable: [] };
    batch = { status: 200, headers: common, body, schema: 'PostBatch', example: `batch-${count}` };
    batches.set(count, batch);
  }
  return batch;
}

function answerTo(url: string, authorization: string | undefined): Answer {
  if (authorization === 'Bearer spent') return limited;
  const ids = url.indexOf('ids=');
  if (ids > 0) return batchOf(url.slice(ids).split(',').length);
  if (url.includes('/posts')) return analysis;
  if (url.includes('/slow')) return fetching;
  return url.endsWith('include=posts') ? creatorWithPosts : creator;
}

/** Validators of the bodies, compiled from the contract as any peer would. */
function createCheck(): (answer: Answer) => object {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(bundle, 'https://bench.invalid/openapi');
  const schemas = [creator, analysis, fetching, limited, batchOf(1)].map(({ schema }) => schema);
  const compiled = new Map(
    schemas.map((schema) => [
      schema,
      ajv.compile({ $ref: `https://bench.invalid/openapi#/components/schemas/${schema}` }),
    ]),
  );
  return ({ schema, body }) => {
    if (!compiled.get(schema)?.(body)) throw new Error('the answer breaks the contract');
    return body;
  };
}

const node = (listener: RequestListener): Server => createServer(listener);
const asked = (request: IncomingMessage) => answerTo(request.url ?? '', request.headers.authorization);

async function expressWithValidator(validateResponses: boolean): Promise<Server> {
  const { default: express } = await import('express');
  const { middleware } = await import('express-openapi-validator');
  const app = express();
  app.use(
    middleware({
      apiSpec: structuredClone(bundle) as never,
      validateRequests: { allowUnknownQueryParameters: true },
      validateResponses,
      validateSecurity: { handlers: { bearer: () => true } },
    }),
  );
  app.get(/.*/, (request, response) => {
    const { status, headers, body } = answerTo(request.originalUrl, request.headers.authorization);
    response.status(status).set(headers).json(body);
  });
  return node(app);
}

type Duty = (request: { raw: IncomingMessage }, reply: any) => Promise<void>;

async function fastifyWith(options: object, duty?: Duty): Promise<Server> {
  const { default: fastify } = await import('fastify');
  const check = createCheck();
  const app = fastify(options);
  if (duty) app.addHook('onRequest', duty);
  const text = { type: 'string', minLength: 1 };
  const querystring = { type: 'object', properties: { ids: text, url: text, include: text, network: text } };
  const params = { type: 'object', properties: { network: text, handle: text }, required: ['network', 'handle'] };
  const answer = (request: { raw: IncomingMessage }, reply: any) => {
    const asking = asked(request.raw);
    return reply.code(asking.status).headers(asking.headers).send(check(asking));
  };
  app.get('/api/v1/creators/:network/:handle', { schema: { params, querystring } }, answer);
  app.get('/api/v1/posts', { schema: { querystring } }, answer);
  await app.ready();
  return app.server;
}

/** What the service does beside answering, at its least: who asks, by the hash of a token; a count of the minute, told in headers. */
function countedPrincipal(): Duty {
  const windows = new Map<string, { start: number; count: number }>();
  return async ({ raw }, reply) => {
    const token = /^bearer +(\S+)$/i.exec(raw.headers.authorization ?? '')?.[1] ?? '';
    const principal = hash('sha256', token);
    const now = Date.now();
    const known = windows.get(principal);
    const window = known && now < known.start + 60_000 ? known : { start: now, count: 0 };
    window.count += 1;
    windows.set(principal, window);
    const left = Math.max(0, 1_000_000_000 - window.count);
    const seconds = Math.ceil((window.start + 60_000 - now) / 1000);
    reply.headers({ 'ratelimit-policy': '"default";q=1000000000;w=60', ratelimit: `"default";r=${left};t=${seconds}` });
  };
}

/** Each makes a server, or says the port of one that listens. */
const peers: Readonly<Record<string, () => Promise<Server | number> | Server>> = {
  raw: () => {
    const bytes = new Map<Answer, Buffer>();
    return node((request, response) => {
      const answer = asked(request);
      const body = bytes.get(answer) ?? Buffer.from(JSON.stringify(answer.body));
      bytes.set(answer, body);
      response.writeHead(answer.status, { ...answer.headers, ...jsonType, 'content-length': body.length }).end(body);
    });
  },

  'raw-stringify': () =>
    node((request, response) => {
      const { status, headers, body: value } = asked(request);
      const body = Buffer.from(JSON.stringify(value));
      response.writeHead(status, { ...headers, ...jsonType, 'content-length': body.length }).end(body);
    }),

  express: async () => {
    const { default: express } = await import('express');
    const app = express();
    app.get(/.*/, (request, response) => {
      const { status, headers, body } = asked(request);
      response.status(status).set(headers).json(body);
    });
    return node(app);
  },

  'express-requests': () => expressWithValidator(false),
  stock: () => expressWithValidator(true),

  fastify: () => fastifyWith({}),
  'fastify-duties': async () => {
    const { pino } = await import('pino');
    const destination = pino.destination({ dest: 1, sync: true, minLength: 8_192, periodicFlush: 100 });
    return fastifyWith({ loggerInstance: pino(destination) }, countedPrincipal());
  },

  hono: async () => {
    const { Hono } = await import('hono');
    const { createAdaptorServer } = await import('@hono/node-server');
    const check = createCheck();
    const ajv = new Ajv2020();
    const text = { type: 'string', minLength: 1 };
    const validQuery = ajv.compile({
      type: 'object',
      properties: { ids: text, url: text, include: text, network: text },
    });
    const app = new Hono();
    app.get('/api/v1/*', (context) => {
      if (!validQuery(context.req.query())) return context.text('', 400);
      const answer = answerTo(context.req.url, context.req.header('authorization'));
      return context.json(check(answer), answer.status as 200, answer.headers);
    });
    return createAdaptorServer({ fetch: app.fetch }) as Server;
  },

  /** The contract with the world's answers as its examples; `Prefer` says which, as a user of Prism would. */
  prism: async () => {
    const { createServer: createPrism } = await import('@stoplight/prism-http-server');
    const { getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
    const { pino } = await import('pino');
    const prism = createPrism(await getHttpOperationsFromSpec(withExamples()), {
      cors: false,
      config: {
        mock: { dynamic: false },
        validateRequest: true,
        validateResponse: true,
        checkSecurity: true,
        isProxy: false,
        errors: false,
        upstreamProxy: undefined,
      },
      components: { logger: pino({ level: 'silent', customLevels: { success: 31, start: 32 } }) },
    } as never);
    return Number(new URL(await prism.listen(0, '127.0.0.1')).port);
  },
};

/** The bundle, its paths as requests name them, its examples those of the world. */
function withExamples(): object {
  const copy: any = structuredClone(bundle);
  const content = (operation: any, status: number, answers: readonly Answer[]) => {
    const [, , , name] = operation.responses[status].$ref.split('/');
    const { schema } = copy.components.responses[name].content['application/json'];
    const examples = Object.fromEntries(answers.map(({ example, body }) => [example, { value: body }]));
    operation.responses[status] = { description: name, content: { 'application/json': { schema, examples } } };
  };
  const getCreator = copy.paths['/creators/{network}/{handle}'].get;
  const getPosts = copy.paths['/posts'].get;
  content(getCreator, 200, [creator, creatorWithPosts]);
  content(getCreator, 202, [fetching]);
  content(getCreator, 429, [limited]);
  content(getPosts, 200, [analysis, ...[1, 10, 100].map(batchOf)]);
  const paths = Object.entries(copy.paths).map(([path, item]) => [`/api/v1${path}`, item]);
  return { ...copy, servers: [], paths: Object.fromEntries(paths) };
}

const peer = peers[name];
if (!peer) {
  console.error(`There is no peer "${name}". There are: ${Object.keys(peers).join(' · ')}`);
  process.exit(2);
}
const server = await peer();
if (typeof server === 'number') process.send?.({ port: server });
else server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
