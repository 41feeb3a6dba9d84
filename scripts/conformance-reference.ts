/**
 * The reference of the self-proof and of fuzzing: the service in a process of its own with the sandbox networks, its store in memory,
 * and everything that a target file declares. Prints the target as one line of JSON and serves until its standard input ends.
 *
 * Budgets are wide but for the role of the rate-limit profile, as hundreds of runs go against it one after another.
 */
import type { Service } from '../src/service.ts';
import { startReference, type Reference } from './conformance-service.ts';

const WIDE = 1_000_000;

const creators = {
  notHeld: 'conf-{uuid}',
  missing: 'missing-{uuid}',
  broken: 'broken-{uuid}',
  bare: 'bare-{uuid}',
  silent: 'silent-{uuid}',
};
const posts = {
  notHeld: 'conf{uuid}',
  missing: 'missing{uuid}',
  old: 'old{uuid}',
  orphan: 'orphan{uuid}',
  broken: 'broken{uuid}',
  bare: 'bare{uuid}',
  carousel: 'carousel{uuid}',
};

const networks = {
  netA: {
    creators: { ...creators, held: 'ada.builds' },
    posts: { ...posts, held: 'C1x', heldId: '1000015793' },
    urls: {
      profile: 'https://neta.example/{handle}',
      post: 'https://neta.example/p/{post}',
      reel: 'https://neta.example/reel/{post}',
    },
  },
  netB: {
    creators: { ...creators, held: 'grace.hopper' },
    posts: { ...posts, held: '7301' },
    urls: { profile: 'https://netb.example/@{handle}', post: 'https://netb.example/@someone/video/{post}' },
  },
};

const wholeTarget = ({ baseUrl, tokens, organizations, profiles }: Reference): object => ({
  name: 'reference',
  baseUrl,
  tokens: Object.fromEntries(
    Object.entries(tokens).map(([role, { value, principal }]) => [role, { token: value, principal }]),
  ),
  organizations,
  profiles,
  networks,
  unsupportedNetwork: 'netZ',
  capabilities: { budget: 60, windowSeconds: 60, clockSkewSeconds: 3, marketplace: true },
});

/** Until what the target calls held is held. */
async function discover(service: Service, token: string): Promise<void> {
  const ask = async (path: string): Promise<number> =>
    (await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
  const held = [
    '/creators/netA/ada.builds',
    '/creators/netB/grace.hopper',
    '/posts?url=https://neta.example/p/C1x',
    '/posts?url=https://netb.example/@grace.hopper/video/7301',
  ];
  for (const path of held)
    for (let tries = 0; tries < 100 && (await ask(path)) === 202; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
}

/** One attempt and no circuit breaker: runs by the hundred ask for what fails, and none may change what the next one sees. */
const settings = {
  DRAIN_SECONDS: '0',
  CIRCUIT_FAILURES: '10000',
  DISCOVERY_ATTEMPTS: '1',
  CALLS_PER_MINUTE: '10000000',
  CALLS_BURST: '1000000',
  POLL_MILLISECONDS: '20',
};
const reference = await startReference({
  perMinute: WIDE,
  settings,
  overrides: { sandbox: { ordinaryMilliseconds: 20, slowMilliseconds: 50 } },
});
await discover(reference.service, reference.tokens['full']?.value ?? '');
process.stdout.write(`${JSON.stringify(wholeTarget(reference))}\n`);
process.stdin.resume().on('end', () => void reference.service.close().then(() => process.exit(0)));
