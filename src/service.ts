import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createAuthentication } from './auth/authenticate.ts';
import { createBudget } from './auth/budget.ts';
import { createOrganizations } from './auth/organization.ts';
import { originsOf, type Config } from './config.ts';
import type { WorkerLimits } from './discovery/limits.ts';
import { measured, type OnCall } from './discovery/measured.ts';
import type { Schemas } from './discovery/repair.ts';
import { createWorker, type Worker } from './discovery/worker.ts';
import { docsPage } from './docs/page.ts';
import { createContract, type Contract, type ContractDocument } from './http/contract.ts';
import { createCors } from './http/cors.ts';
import { createApp } from './http/app.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { createOperations } from './http/operations.ts';
import { createPages } from './http/pages.ts';
import { createPressure } from './http/pressure.ts';
import { createRequestIds } from './http/request-id.ts';
import { createRespond } from './http/respond.ts';
import { createRoutes } from './http/routes.ts';
import { createHttpServer } from './http/server.ts';
import { createRequestValidator } from './http/validator.ts';
import { createDrain, listen, type Drain } from './lifecycle.ts';
import { createLookUp, type LookUp } from './lookup/look-up.ts';
import type { Clock, Source } from './model.ts';
import { networks } from './networks/index.ts';
import { createSources } from './sources.ts';
import type { Database } from './storage/database.ts';
import { createDiscoveries, type Discoveries } from './storage/discoveries.ts';
import { createDocuments, type Documents } from './storage/documents.ts';
import { openStore } from './storage/open.ts';
import { createPrincipals, type Principals } from './storage/principals.ts';
import { createLog, createTelemetry, type Telemetry } from './telemetry.ts';

/** What tests replace. */
export interface Overrides {
  readonly clock?: Clock;
  readonly sources?: readonly Source[];
  readonly database?: Database;
  readonly log?: Logger;
  /** How long an ordinary and a slow discovery take in the sandbox. */
  readonly sandbox?: { readonly ordinaryMilliseconds?: number; readonly slowMilliseconds?: number };
  /** False: the worker does nothing by itself; a test runs it with `worker.runDue`. */
  readonly work?: boolean;
}

/** The running service, and the parts of it that the first start and tests use. */
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
  /** Stops: drains the requests, releases the worker's claims, closes the store. A second call waits for the first. */
  close(): Promise<void>;
}

const bundle = JSON.parse(
  readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
const schemas = (bundle as unknown as { components: { schemas: Schemas } }).components.schemas;

/** Milliseconds of a monotonic clock, for durations. */
const timer = (): number => performance.now();

/** Creates the parts of the service, wires them and listens. Rejects when the store cannot be opened or the address not be listened on. */
export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const clock = overrides.clock ?? Date.now;
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const contract = createContract(bundle);

  const database = overrides.database ?? (await openStore({ ...storeOf(config), clock }));
  const documents = createDocuments(database, { cacheBytes: config.CACHE_BYTES, clock });
  const discoveries = createDiscoveries(database, {
    clock,
    queueLimit: config.QUEUE_LIMIT,
    queueLimitPerAccount: config.QUEUE_LIMIT_PER_ACCOUNT,
  });
  const principals = createPrincipals(database);

  const metrics = createMetrics({ depth: () => discoveries.depth(), networks: () => worker.networks() });
  const telemetry = createTelemetry(log, metrics, timer);
  const worker: Worker = createDiscovery(config, overrides, {
    documents,
    discoveries,
    clock,
    contract,
    log,
    onCall: metrics.call,
  });
  const lookUp = createLookUp({
    documents,
    discoveries,
    clock,
    waitSeconds: worker.waitSeconds,
    wake: overrides.work === false ? () => {} : worker.wake,
    onUnstarted: telemetry.onUnstarted,
    deepSeconds: config.DEEP_SECONDS,
  });

  const drain = createDrain(config, timer);
  const http = await createHttp(config, { clock, principals, database, contract, metrics, telemetry, lookUp, drain });
  await listen(http, config).catch(async (fault: unknown) => {
    await database.close(); // an open store would keep the process alive
    throw fault;
  });
  if (overrides.work !== false) worker.start();

  let closing: Promise<void> | null = null;
  async function stop(): Promise<void> {
    await drain.run(http);
    await worker.stop();
    await database.close();
  }
  const close = (): Promise<void> => (closing ??= stop());
  const { port } = http.address() as AddressInfo;
  return {
    url: urlOf(config, port),
    port,
    database,
    documents,
    discoveries,
    principals,
    contract,
    lookUp,
    worker,
    close,
  };
}

/** Base address that callers use. */
function urlOf({ PUBLIC_URL, HOST }: Config, port: number): string {
  if (PUBLIC_URL !== '') return PUBLIC_URL.replace(/\/+$/, '');
  if (HOST === '0.0.0.0' || HOST === '::') return `http://localhost:${port}`;
  return `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${port}`;
}

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

/** Creates the worker and its sources, each with its calls measured. */
function createDiscovery(config: Config, overrides: Overrides, { contract, onCall, ...parts }: DiscoveryParts): Worker {
  const { clock, log } = parts;
  const sandbox = { clock, ...overrides.sandbox };
  const sources = overrides.sources ?? createSources(config, { schemas, log, sandbox, timer });
  return createWorker({
    ...parts,
    sources: sources.map((source) => measured(source, timer, onCall)),
    timer: overrides.clock ?? timer,
    random: Math.random,
    owner: `${process.pid}-${randomUUID()}`,
    checkDocument: (schema, value) => contract.checkValue(value, `/components/schemas/${schema}`),
    limits: limitsOf(config),
  });
}

/** The worker's limits, from the settings. */
export const limitsOf = (config: Config): WorkerLimits => ({
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
  documentBytes: config.DOCUMENT_BYTES,
  deepSeconds: config.DEEP_SECONDS,
  scheduledRefresh: config.SCHEDULED_REFRESH === 'on',
  callsPerMinute: config.CALLS_PER_MINUTE,
  callsBurst: config.CALLS_BURST,
  circuitFailures: config.CIRCUIT_FAILURES,
  circuitSeconds: config.CIRCUIT_SECONDS,
  pollMilliseconds: config.POLL_MILLISECONDS,
});

interface HttpParts {
  readonly clock: Clock;
  readonly principals: Principals;
  readonly database: Database;
  readonly contract: Contract;
  readonly metrics: Metrics;
  readonly telemetry: Telemetry;
  readonly lookUp: LookUp;
  readonly drain: Drain;
}

/** Creates what handles a request, from the server that receives it to the function that sends the response. */
async function createHttp(config: Config, parts: HttpParts): Promise<Server> {
  const { clock, principals, database, contract, metrics, telemetry, lookUp, drain } = parts;
  const { onFault, onViolation, onCorrupt, onEnd } = telemetry;
  const requestId = createRequestIds();
  const cors = createCors(originsOf(config.CORS_ORIGINS));

  const respond = createRespond({
    contract,
    writeTimeoutMilliseconds: config.WRITE_TIMEOUT_SECONDS * 1000,
    transportHeaders: (exchange) =>
      drain.begun() ? { ...cors.headers(exchange), Connection: 'close' } : cors.headers(exchange),
    onViolation,
  });
  const answerOperation = createOperations({
    routes: createRoutes({ lookUp, networks, contract, clock, onCorrupt }),
    authentication: createAuthentication({ principals, clock, cacheSeconds: config.AUTH_CACHE_SECONDS }),
    budget: createBudget(database, clock),
    organizations: createOrganizations({ principals, clock, cacheSeconds: config.AUTH_CACHE_SECONDS }),
    validator: await createRequestValidator(bundle),
    contract,
    limits: { bodyBytes: config.BODY_BYTES, bodyDepth: config.BODY_DEPTH },
    onFault,
  });
  const pages = createPages({
    async ready() {
      if (drain.begun()) return false;
      await principals.isEmpty(); // rejects while the store does not answer
      return true;
    },
    metrics: () => metrics.registry.metrics(),
    metricsType: metrics.registry.contentType,
  });
  const app = createApp({
    requestId,
    timer,
    answerOperation,
    respond,
    onFault,
    onEnd(exchange) {
      if (exchange.operation !== null) drain.asked();
      onEnd(exchange);
    },
    maxInFlight: config.MAX_IN_FLIGHT,
    pressure: createPressure({ timer, patienceMilliseconds: config.PATIENCE_MILLISECONDS }),
    preflight: cors.preflight,
    pages: [pages, docsPage()],
  });
  return createHttpServer(app, {
    contract,
    requestId,
    limits: {
      headerBytes: config.HEADER_BYTES,
      // The head is part of the request: Node takes no longer deadline for it.
      headersTimeoutSeconds: Math.min(config.HEADERS_TIMEOUT_SECONDS, config.REQUEST_TIMEOUT_SECONDS),
      requestTimeoutSeconds: config.REQUEST_TIMEOUT_SECONDS,
      keepAliveSeconds: config.KEEP_ALIVE_SECONDS,
      maxConnections: config.MAX_CONNECTIONS,
    },
  });
}
