/**
 * A whole service for tests: real HTTP on a port of its own, a real store, a clock moved by hand, the sandbox networks at once. Every response
 * is held to the contract before a test sees it: by our guard, and by express-openapi-validator's own validation of responses.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { pino } from 'pino';
import supertest, { type Response } from 'supertest';
import { issueToken } from '../auth/tokens.ts';
import { readConfig, type Config } from '../config.ts';
import type { Scope, Source } from '../model.ts';
import { startService, type Service } from '../service.ts';
import type { Database } from '../storage/database.ts';
import { createClock, type HandClock } from '../testing/engines.ts';
import type { OperationId } from './answer.ts';
import type { ContractDocument } from './contract.ts';
import { match } from './match.ts';
import { createSecondOpinion } from './second-opinion.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
const secondOpinion = createSecondOpinion(bundle);

export interface HarnessOptions {
  readonly database?: Database;
  readonly clock?: HandClock;
  readonly sources?: readonly Source[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly perMinute?: number;
}

export interface Ask {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Harness {
  readonly service: Service;
  readonly clock: HandClock;
  readonly tokens: Readonly<Record<'full' | 'creators' | 'posts' | 'expired' | 'revoked' | 'small' | 'plain', string>>;
  readonly logged: readonly string[];
  get(path: string, ask?: Ask): Promise<Response>;
  head(path: string, ask?: Ask): Promise<Response>;
  post(path: string, body: unknown, ask?: Ask): Promise<Response>;
  /** Runs all that is due, until nothing is. */
  settle(): Promise<void>;
  /** Reads until it is held, as a caller would. */
  held(path: string, ask?: Ask): Promise<Response>;
  /** What comes back for these bytes on a bare socket, until the server closes or is silent. */
  raw(bytes: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const clock = options.clock ?? createClock();
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const service = await startService(testConfig(options.settings), {
    clock,
    log,
    work: false,
    sandbox: { ordinaryMilliseconds: 0, slowMilliseconds: 0 },
    ...(options.database && { database: options.database }),
    ...(options.sources && { sources: options.sources }),
  });
  const tokens = await people(service, clock, options.perMinute ?? 10_000);
  const agent = supertest(service.url);

  const dress = (test: supertest.Test, { token = tokens.full, headers = {} }: Ask): supertest.Test =>
    test.set(token === null ? headers : { Authorization: `Bearer ${token}`, ...headers });

  async function guarded(method: string, path: string, test: supertest.Test): Promise<Response> {
    const response = await test;
    await checkResponse(service, method, path, response);
    return response;
  }

  async function settle(): Promise<void> {
    while ((await service.worker.runDue()) > 0);
  }

  const get = (path: string, ask: Ask = {}) => guarded('GET', path, dress(agent.get(`/api/v1${path}`), ask));

  return {
    service,
    clock,
    tokens,
    logged,
    get,
    head: (path, ask = {}) => guarded('HEAD', path, dress(agent.head(`/api/v1${path}`), ask)),
    post: (path, body, ask = {}) =>
      guarded(
        'POST',
        path,
        dress(
          agent
            .post(`/api/v1${path}`)
            .type('json')
            .send(body as object),
          ask,
        ),
      ),
    settle,
    async held(path, ask) {
      await get(path, ask);
      await settle();
      return get(path, ask);
    },
    raw: (bytes) => exchangeRaw(service.port, bytes),
    close: () => service.close(),
  };
}

export function testConfig(settings: Readonly<Record<string, string>> = {}): Config {
  return readConfig({
    PORT: '0',
    DATA_DIR: ':memory:',
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: '0',
    CALLS_BURST: '100000',
    ...settings,
  });
}

/** The operation that a request was answered by, if any. */
export function operationOf(method: string, path: string): OperationId | null {
  const matched = match(method, `/api/v1${path.split('?')[0]}`);
  return matched.is === 'unknown' ? null : matched.operation;
}

async function checkResponse({ contract }: Service, method: string, path: string, response: Response): Promise<void> {
  if (method === 'HEAD') return;
  const { status, body } = response;
  const headers = { ...(response.headers as Record<string, string>) };
  const operation = operationOf(method, path);
  contract.checkWhole(operation, status, headers, body);
  if (operation !== null) await (await secondOpinion)(operation, { status, headers, body });
  if (headers['x-request-id'] === undefined) throw new Error('a response without x-request-id');
}

async function people({ principals }: Service, clock: HandClock, perMinute: number): Promise<Harness['tokens']> {
  const organizations = { home: true, partner: true, grantor: true, stranger: true, plain: false };
  for (const [slug, marketplace] of Object.entries(organizations)) {
    await principals.createOrganization({ id: `org_${slug}`, slug, marketplace });
  }
  const account = (id: string, organization: string, budget: number) =>
    principals.createAccount({ id, organization, name: id, perMinute: budget });
  await account('acc_home', 'org_home', perMinute);
  await account('acc_small', 'org_home', 3);
  await account('acc_plain', 'org_plain', perMinute);
  await principals.addMember({ account: 'acc_home', organization: 'org_partner', role: 'reader' });
  await principals.addGrant({ from: 'org_grantor', to: 'org_home', role: 'reader' });
  await principals.createProfile({ id: 'pro_spring', organization: 'org_home', slug: 'spring' });
  await principals.createProfile({ id: 'pro_other', organization: 'org_partner', slug: 'other' });

  const both: readonly Scope[] = ['creators:read', 'posts:read'];
  const issue = async (
    owner: string,
    scopes: readonly Scope[],
    expiresInSeconds: number | null = null,
  ): Promise<string> => {
    const { token, hash, prefix } = issueToken(randomBytes);
    await principals.createToken({ hash, prefix, account: owner, label: '', scopes: [...scopes], expiresInSeconds });
    return token;
  };
  const tokens = {
    full: await issue('acc_home', both),
    creators: await issue('acc_home', ['creators:read']),
    posts: await issue('acc_home', ['posts:read']),
    expired: await issue('acc_home', both, 1),
    revoked: await issue('acc_home', both),
    small: await issue('acc_small', both),
    plain: await issue('acc_plain', both),
  };
  await principals.revokeToken(tokens.revoked.slice(0, 11));
  clock.pass(2000);
  return tokens;
}

function exchangeRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(2500, () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      socket.setTimeout(150);
    });
    socket.once('close', () => resolve(answer));
    socket.once('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
  });
}
