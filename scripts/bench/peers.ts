/**
 * The peers of `npm run bench`: the same documents served by other stacks. Run as `node peers.ts NAME WORLD_FILE`; prints its port.
 *
 * Every peer answers `/api/v1/creators/netA/x` with one creator and `/api/v1/posts?ids=…` with as many posts as identifiers. None of them
 * authenticates, counts a budget, looks anything up or logs: they have less to do than the service.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface World {
  readonly creator: { readonly data: object };
  readonly posts: readonly object[];
}

const [name = '', worldFile = ''] = process.argv.slice(2);
const world = JSON.parse(readFileSync(worldFile, 'utf8')) as World;
const bundle = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as object;

const idsOf = (url: string) => decodeURIComponent(/[?&]ids=([^&]*)/.exec(url)?.[1] ?? '').split(',').length;
const batchOf = (count: number) => ({ data: world.posts.slice(0, count), fetching: [], unavailable: [] });
const bodyOf = (url: string) => (url.includes('/posts') ? batchOf(idsOf(url)) : world.creator);

const requestIdHeaders = { 'x-request-id': 'bench', 'cache-control': 'no-store' };
const jsonHeaders = { 'content-type': 'application/json', ...requestIdHeaders };

/** Validators of the two bodies, compiled from the contract as any peer would. */
function validators() {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(bundle, 'https://bench.invalid/openapi');
  const compile = (schema: string) =>
    ajv.compile({ $ref: `https://bench.invalid/openapi#/components/schemas/${schema}` });
  return { creator: compile('CreatorResponse'), batch: compile('PostBatch') };
}

function checked(url: string, validate: ReturnType<typeof validators>) {
  const body = bodyOf(url);
  if (!(url.includes('/posts') ? validate.batch : validate.creator)(body))
    throw new Error('the answer breaks the contract');
  return body;
}

const node = (listener: RequestListener): Server => createServer(listener);

const peers: Readonly<Record<string, () => Promise<Server> | Server>> = {
  'raw node:http, ready-made buffer': () => {
    const creator = Buffer.from(JSON.stringify(world.creator));
    const batches = new Map<number, Buffer>();
    const batch = (count: number) => {
      const made = batches.get(count) ?? Buffer.from(JSON.stringify(batchOf(count)));
      batches.set(count, made);
      return made;
    };
    return node((request: IncomingMessage, response) => {
      const body = request.url?.includes('/posts') ? batch(idsOf(request.url)) : creator;
      response.writeHead(200, { ...jsonHeaders, 'content-length': body.length }).end(body);
    });
  },

  'raw node:http + JSON.stringify': () =>
    node((request, response) => {
      const body = Buffer.from(JSON.stringify(bodyOf(request.url ?? '')));
      response.writeHead(200, { ...jsonHeaders, 'content-length': body.length }).end(body);
    }),

  'Express 5, no validation': async () => {
    const { default: express } = await import('express');
    const app = express();
    app.get(/.*/, (request, response) => void response.set(requestIdHeaders).json(bodyOf(request.url)));
    return node(app);
  },

  'Express 5 + express-openapi-validator (stock)': async () => {
    const { default: express } = await import('express');
    const { middleware } = await import('express-openapi-validator');
    const app = express();
    const apiSpec = structuredClone(bundle) as never;
    const validateSecurity = { handlers: { bearer: () => true } };
    app.use(
      middleware({
        apiSpec,
        validateRequests: { allowUnknownQueryParameters: true },
        validateResponses: true,
        validateSecurity,
      }),
    );
    app.get(/.*/, (request, response) => void response.set(requestIdHeaders).json(bodyOf(request.originalUrl)));
    return node(app);
  },

  'Fastify 5 + Ajv, both ways': async () => {
    const { default: fastify } = await import('fastify');
    const validate = validators();
    const app = fastify();
    const querystring = {
      type: 'object',
      properties: { ids: { type: 'string', minLength: 1 }, network: { type: 'string' } },
    };
    const params = {
      type: 'object',
      properties: { network: { type: 'string' }, handle: { type: 'string' } },
      required: ['network', 'handle'],
    };
    app.get('/api/v1/creators/:network/:handle', { schema: { params, querystring } }, (request, reply) =>
      reply.headers(requestIdHeaders).send(checked(request.url, validate)),
    );
    app.get('/api/v1/posts', { schema: { querystring } }, (request, reply) =>
      reply.headers(requestIdHeaders).send(checked(request.url, validate)),
    );
    await app.ready();
    return app.server;
  },

  'Hono + Ajv, both ways': async () => {
    const { Hono } = await import('hono');
    const { createAdaptorServer } = await import('@hono/node-server');
    const validate = validators();
    const app = new Hono();
    app.get('*', (context) => {
      const url = context.req.url;
      if (context.req.path.endsWith('/posts') && !context.req.query('ids')) return context.text('', 400);
      return context.json(checked(url, validate), 200, requestIdHeaders);
    });
    return createAdaptorServer({ fetch: app.fetch }) as Server;
  },
};

const peer = peers[name];
if (!peer) {
  console.error(`There is no peer "${name}". There are: ${Object.keys(peers).join(' · ')}`);
  process.exit(2);
}
const server = await peer();
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
