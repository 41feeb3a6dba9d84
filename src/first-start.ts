import { randomBytes } from 'node:crypto';
import { createDevelopment, type Development } from './auth/development.ts';
import type { Config } from './config.ts';
import type { Actor, Entity } from './model.ts';
import type { Service } from './service.ts';

/** The entities that the printed requests show as held, or as known to be unavailable. */
const SETTLED: readonly Entity[] = [
  { kind: 'creator', network: 'netA', name: 'ada' },
  { kind: 'creator', network: 'netA', name: 'missing.person' },
  { kind: 'post', network: 'netA', name: 'C1x' },
];
const PATIENCE_MILLISECONDS = 5000;

/**
 * The text to print once the service listens. On an empty store outside production it first creates an organization and a token, and
 * discovers what the printed requests name, so that each of them shows what it says.
 */
export async function firstStart(service: Service, config: Config): Promise<string> {
  const listening = `Listening on ${service.url}/api/v1 (documentation at ${service.url}/docs)\n`;
  const made =
    config.ENVIRONMENT === 'production' ? null : await createDevelopment(service.principals, developmentOf(config));
  if (made === null) return `${listening}To issue a token: npm run admin -- --help\n`;
  // The token is shown only now, whatever becomes of the look-up.
  await discover(service, actorOf(made, config)).catch(() => {});
  return `${listening}\n${greeting(`${service.url}/api/v1`, made.token)}`;
}

const developmentOf = ({ DEFAULT_PER_MINUTE: perMinute }: Config) => ({ random: randomBytes, perMinute });

function actorOf({ account, organization }: Development, { DEFAULT_PER_MINUTE: perMinute }: Config): Actor {
  const principal = { account, organization, scopes: new Set(['creators:read', 'posts:read'] as const), perMinute };
  return { principal, organization, marketplace: true, profile: null };
}

/** Reads until all are settled, or for five seconds: after them a printed request may be answered "fetching", which does no harm. */
async function discover({ lookUp }: Service, actor: Actor): Promise<void> {
  const asked = SETTLED.map((entity) => ({ id: entity.name, parsed: { entity } }));
  for (let waited = 0; waited < PATIENCE_MILLISECONDS; waited += 50) {
    const answered = await lookUp(actor, asked, { deep: false });
    if (answered.every(({ availability }) => availability.is !== 'fetching')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function greeting(base: string, token: string): string {
  const curl = (rest: string): string => `  curl -sS -H 'Authorization: Bearer ${token}' ${rest}`;
  return `This is a first start: an organization "development" and a token were made. The token is shown only now:

  ${token}

Five requests to try, one after another:

  # held: answered at once with the document
${curl(`'${base}/creators/netA/ada?include=posts'`)}

  # fetching: 202 and Retry-After; send it again a second later, and it is held
${curl(`-i '${base}/creators/netB/grace.hopper'`)}

  # a batch: one held, one to fetch, one that cannot be obtained, one of an unsupported network
${curl(`'${base}/creators?ids=ada,netB:milo,missing.person,netZ:someone'`)}

  # unavailable: 404 with the reason
${curl(`'${base}/posts?url=https://example.com/p/C1x'`)}

  # a held post with analysis
${curl(`'${base}/posts?url=https://neta.example/p/C1x&include=transcript,brandSafety'`)}

To issue another token: npm run admin -- --help
`;
}
