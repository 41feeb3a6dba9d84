import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';
import { createAuthentication } from './auth/authenticate.ts';
import { createBudget } from './auth/budget.ts';
import { createOrganizations } from './auth/organization.ts';
import type { Config } from './config.ts';
import { withEnrichment } from './discovery/enrichment.ts';
import { measured, type OnCall } from './discovery/measured.ts';
import type { Schemas } from './discovery/repair.ts';
import { createHttpSource } from './discovery/sources/http.ts';
import { createSandbox } from './discovery/sources/sandbox.ts';
import { createWorker, type Worker } from './discovery/worker.ts';
import { docsPage } from './docs/page.ts';
import { createContract, type Contract, type ContractDocument } from './http/contract.ts';
import { createCors } from './http/cors.ts';
import { createApp } from './http/app.ts';
import type { Exchange } from './http/exchange.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { createOperations } from './http/operations.ts';
import { createPages } from './http/pages.ts';
import { createPressure } from './http/pressure.ts';
import { createRequestIds } from './http/request-id.ts';
import { createRespond } from './http/respond.ts';
import { createRoutes } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { createRequestValidator } from './http/validator.ts';
import { createLookUp, type LookUp } from './lookup/look-up.ts';
import type { Clock, Source } from './model.ts';
import { networks } from './networks/index.ts';
import type { Network } from './networks/network.ts';
import type { Database } from './storage/database.ts';
import { createDiscoveries, type Discoveries } from './storage/discoveries.ts';
import { createDocuments, type Documents } from './storage/documents.ts';
import { openStore } from './storage/open.ts';
import { createPrincipals, type Principals } from './storage/principals.ts';

/** What a test puts in the place of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly sources?: readonly Source[];
  readonly database?: Database;
  readonly log?: Logger;
  /** Milliseconds that an ordinary and a slow discovery of the sandbox take. */
  readonly sandbox?: { readonly ordinaryMilliseconds?: number; readonly slowMilliseconds?: number };
  /** False: the worker runs only when told to, by `worker.runDue`. */
  readonly work?: boolean;
}

export interface Service {
  /** Base address of the service, without `/api/v1`. */
  readonly url: string;
  readonly port: number;
  readonly database: Database;
  readonly documents: Documents;
  readonly discoveries: Discoveries;
  readonly principals: Principals;
  readonly contract: Contract;
  readonly lookUp: LookUp;
  readonly worker: Worker;
  /** Turns readiness off, answers what is in flight, gives back what was claimed, closes the store. Safe to call twice. */
  close(): Promise<void>;
}

const bundle = JSON.parse(
  readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
const schemas = (bundle as unknown as { components: { schemas: Schemas } }).components.schemas;

/** Creates all parts, wires them and listens. */
export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const clock = overrides.clock ?? Date.now;
  const log = overrides.log ?? createLog(config);
  const database = overrides.database ?? (await openStore({ ...storeOf(config), clock }));

  const documents = createDocuments(database, { cacheBytes: config.CACHE_BYTES, clock });
  const discoveries = createDiscoveries(database, {
    clock,
    queueLimit: config.QUEUE_LIMIT,
    queueLimitPerAccount: config.QUEUE_LIMIT_PER_ACCOUNT,
  });
  const principals = createPrincipals(database);
  const contract = createContract(bundle);
  const metrics: Metrics = createMetrics({ depth: () => discoveries.depth(), networks: () => worker.networks() });
  const onCall: OnCall = (...call) => metrics.call(...call);
  const worker: Worker = createWorkerOf(config, overrides, { documents, discoveries, clock, contract, log, onCall });
  const lookUp = createLookUp({
    documents,
    discoveries,
    clock,
    waitSeconds: worker.waitSeconds,
    wake: overrides.work === false ? () => {} : worker.wake,
    onUnstarted: (cause) => log.error({ err: cause }, 'refreshes could not be started'),
    leaseSeconds: config.LEASE_SECONDS,
    deepSeconds: config.DEEP_SECONDS,
  });

  const state: Life = { draining: false, askedAt: 0 };
  const http = await createHttp(config, { clock, log, principals, database, contract, metrics, lookUp, state });
  await listen(http, config).catch(async (fault: unknown) => {
    await database.close(); // or the process would not end
    throw fault;
  });
  if (overrides.work !== false) worker.start();
  const { port } = http.address() as AddressInfo;
  const url = config.PUBLIC_URL || `http://${config.HOST === '0.0.0.0' ? 'localhost' : config.HOST}:${port}`;

  let closing: Promise<void> | null = null;
  async function drain(): Promise<void> {
    state.draining = true;
    await untilNoticed(state, config);
    await closeServer(http, config.DRAIN_SECONDS * 1000);
    await worker.stop();
    await database.close();
  }
  const close = (): Promise<void> => (closing ??= drain());
  return { url, port, database, documents, discoveries, principals, contract, lookUp, worker, close };
}

/** Lines leave together, at the latest after a tenth of a second, and all of them when the process ends: a write each is a tenth of a read. */
const createLog = ({ LOG_LEVEL: level }: Config): Logger =>
  pino({ level }, pino.destination({ dest: 1, sync: true, minLength: 8_192, periodicFlush: 100 }));

const storeOf = ({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATABASE_POOL: poolSize }: Config) => ({
  databaseUrl,
  dataDir,
  poolSize,
});

interface DiscoveryParts {
  readonly documents: Documents;
  readonly discoveries: Discoveries;
  readonly clock: Clock;
  readonly contract: Contract;
  readonly log: Logger;
  readonly onCall: OnCall;
}

/** A collector where a setting names one, else the sandbox; either with a model that fills `analysis` where a setting names one. */
function sourceOf(network: Network, config: Config, log: Logger, sandbox: Parameters<typeof createSandbox>[1]): Source {
  const baseUrl = config.SOURCES[network.name];
  const token = config.SOURCE_TOKENS[network.name];
  const source =
    baseUrl === undefined
      ? createSandbox(network, sandbox)
      : createHttpSource(network, { baseUrl, schemas, ...(token !== undefined && { token }) });
  if (config.ENRICHMENT_URL === '') return source;
  const { ENRICHMENT_URL, ENRICHMENT_MODEL: model, ENRICHMENT_KEY } = config;
  return withEnrichment(source, {
    baseUrl: ENRICHMENT_URL,
    model,
    schemas,
    log,
    ...(ENRICHMENT_KEY === '' ? {} : { apiKey: ENRICHMENT_KEY }),
  });
}

function createWorkerOf(config: Config, overrides: Overrides, { contract, onCall, ...parts }: DiscoveryParts): Worker {
  const sandbox = { clock: parts.clock, ...overrides.sandbox };
  const sources = overrides.sources ?? networks.map((network) => sourceOf(network, config, parts.log, sandbox));
  return createWorker({
    ...parts,
    sources: sources.map((source) => measured(source, () => performance.now(), onCall)),
    random: Math.random,
    owner: `${process.pid}-${randomUUID()}`,
    checkDocument: (schema, value) => contract.checkValue(value, `/components/schemas/${schema}`),
    limits: {
      concurrentTotal: config.DISCOVERY_CONCURRENCY,
      concurrentPerNetwork: config.DISCOVERY_PER_NETWORK,
      leaseSeconds: config.LEASE_SECONDS,
      renewSeconds: Math.min(config.RENEW_SECONDS, config.LEASE_SECONDS / 3),
      attemptSeconds: config.DISCOVERY_TIMEOUT_SECONDS,
      attempts: config.DISCOVERY_ATTEMPTS,
      backoffSeconds: config.BACKOFF_SECONDS,
      backoffMaxSeconds: config.BACKOFF_MAX_SECONDS,
      retryableRememberedSeconds: config.RETRYABLE_REMEMBERED_SECONDS,
      terminalRememberedSeconds: config.TERMINAL_REMEMBERED_SECONDS,
      creatorFreshSeconds: config.CREATOR_FRESH_SECONDS,
      postFreshSeconds: config.POST_FRESH_SECONDS,
      deepSeconds: config.DEEP_SECONDS,
      scheduledRefresh: config.SCHEDULED_REFRESH === 'on',
      callsPerMinute: config.CALLS_PER_MINUTE,
      callsBurst: config.CALLS_BURST,
      circuitFailures: config.CIRCUIT_FAILURES,
      circuitSeconds: config.CIRCUIT_SECONDS,
      pollMilliseconds: config.POLL_MILLISECONDS,
    },
  });
}

/** Whether the process is being stopped, and when it was last asked for something. */
interface Life {
  draining: boolean;
  askedAt: number;
}

/**
 * Requests are still taken until none has come for a notice's length: then whoever balances has noticed. A connection that is closed before
 * would be reset with its request (F6). At most half of the time there is for all.
 */
async function untilNoticed(state: Life, { DRAIN_SECONDS, NOTICE_MILLISECONDS }: Config): Promise<void> {
  if (DRAIN_SECONDS === 0) return;
  const until = performance.now() + DRAIN_SECONDS * 500;
  let wait = NOTICE_MILLISECONDS;
  while (wait > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, until - performance.now())));
    wait = state.askedAt + NOTICE_MILLISECONDS - performance.now();
  }
}

interface HttpParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly principals: Principals;
  readonly database: Database;
  readonly contract: Contract;
  readonly metrics: Metrics;
  readonly lookUp: LookUp;
  readonly state: Life;
}

async function createHttp(config: Config, parts: HttpParts) {
  const { clock, log, principals, database, contract, metrics, lookUp, state } = parts;
  const requestId = createRequestIds();
  const cors = createCors(
    config.CORS_ORIGINS.split(',')
      .map((origin) => origin.trim())
      .filter(Boolean),
  );
  const onFault = (fault: unknown, exchange: Exchange) => log.error({ ...told(exchange), err: fault }, 'fault');

  const respond = createRespond({
    contract,
    writeTimeoutMilliseconds: config.WRITE_TIMEOUT_SECONDS * 1000,
    transportHeaders: (exchange) =>
      state.draining ? { ...cors.headers(exchange), Connection: 'close' } : cors.headers(exchange),
    onViolation(violation, exchange) {
      metrics.violation();
      log.error({ ...told(exchange), violation: violation.message }, 'an answer broke the contract and was held back');
    },
  });
  const answerOperation = createOperations({
    routes: createRoutes({
      lookUp,
      networks,
      contract,
      clock,
      onCorrupt: (violation, id) =>
        log.error({ violation: violation.message, id }, 'a stored document is not what was stored'),
    }),
    authentication: createAuthentication({ principals, clock, cacheSeconds: config.AUTH_CACHE_SECONDS }),
    budget: createBudget(database, clock),
    organizations: createOrganizations(principals, { clock, cacheSeconds: config.AUTH_CACHE_SECONDS }),
    validator: await createRequestValidator(bundle),
    contract,
    limits: { bodyBytes: config.BODY_BYTES, bodyDepth: config.BODY_DEPTH },
    onFault,
  });
  const pages = createPages({
    ready: async () => !state.draining && (await principals.isEmpty(), true),
    metrics: () => metrics.registry.metrics(),
    metricsType: metrics.registry.contentType,
  });
  const app = createApp({
    requestId,
    timer: () => performance.now(),
    answerOperation,
    respond,
    onFault,
    onEnd(exchange) {
      if (exchange.operation !== null) state.askedAt = performance.now();
      end(exchange, metrics, log);
    },
    maxInFlight: config.MAX_IN_FLIGHT,
    pressure: createPressure({ timer: () => performance.now(), patienceMilliseconds: config.PATIENCE_MILLISECONDS }),
    preflight: cors.preflight,
    pages: [pages, docsPage()],
  });
  return createHttpServer(app, {
    contract,
    requestId,
    limits: {
      headerBytes: config.HEADER_BYTES,
      headersTimeoutSeconds: config.HEADERS_TIMEOUT_SECONDS,
      requestTimeoutSeconds: config.REQUEST_TIMEOUT_SECONDS,
      keepAliveSeconds: config.KEEP_ALIVE_SECONDS,
      maxConnections: config.MAX_CONNECTIONS,
    },
  });
}

const told = ({ requestId, operation, principal }: Exchange) => ({
  requestId,
  operation,
  principal: principal?.account,
});

/** One line and one observation a request; nothing in them that a caller wrote. */
function end(exchange: Exchange, metrics: Metrics, log: Logger): void {
  const milliseconds = performance.now() - exchange.startedAt;
  const { statusCode: status, writableFinished: sent } = exchange.response;
  metrics.request(exchange.operation ?? 'none', status, milliseconds / 1000);
  if (!log.isLevelEnabled('info')) return;
  const { requestId, operation, principal } = exchange;
  const rounded = Math.round(milliseconds * 100) / 100;
  log.info({ requestId, operation, principal: principal?.account, status, sent, milliseconds: rounded }, 'request');
}

function listen(server: import('node:http').Server, { HOST, PORT }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Takes no more connections, waits for what is in flight, and cuts what takes too long. */
function closeServer(server: import('node:http').Server, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), milliseconds);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
