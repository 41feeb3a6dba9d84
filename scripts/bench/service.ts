/**
 * The service as the bench measures it: authentication, budget, logging and both validations on; settings from the environment. Tells its
 * parent its port and two tokens: one whose budget is never spent, one whose always is.
 */
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/auth/development.ts';
import { issueToken } from '../../src/auth/tokens.ts';
import { readConfig } from '../../src/config.ts';
import { networks } from '../../src/networks/index.ts';
import { createSandbox } from '../../src/discovery/sources/sandbox.ts';
import type { Source } from '../../src/model.ts';
import { startService, type Service } from '../../src/service.ts';

const UNREACHED = 1_000_000_000;
/** What is slow stays under discovery: three attempts of ten minutes are longer than any run. */
const UNDER_DISCOVERY_SECONDS = 600;

async function issue({ principals }: Service, organization: string, perMinute: number): Promise<string> {
  const account = newId('acc', randomBytes);
  await principals.createAccount({ id: account, organization, name: 'bench', perMinute });
  const { token, hash, prefix } = issueToken(randomBytes);
  const scopes = ['creators:read', 'posts:read'] as const;
  await principals.createToken({ hash, prefix, account, label: 'bench', scopes, expiresInSeconds: null });
  return token;
}

const config = readConfig({ ...process.env, DISCOVERY_TIMEOUT_SECONDS: String(UNDER_DISCOVERY_SECONDS) });

/** Posts as long as in life: 4.5 KB, so that a batch of 100 is the 450 KB that the aims speak of; the sandbox's are 2.9 KB. */
const postBytes = 4_500;
const sentence = ' And there is always one thing more to say about it.';

function withCaptions(source: Source): Source {
  return {
    ...source,
    async obtain(entity, options) {
      const obtained = await source.obtain(entity, options);
      if (obtained.is !== 'post') return obtained;
      const missing = postBytes - Buffer.byteLength(JSON.stringify(obtained.document));
      const rest = sentence.repeat(Math.max(0, Math.ceil(missing / sentence.length)));
      return { ...obtained, document: { ...obtained.document, text: `${obtained.document.text ?? ''}${rest}` } };
    },
  };
}

const settings = { clock: Date.now, ordinaryMilliseconds: 0, slowMilliseconds: 2 * UNDER_DISCOVERY_SECONDS * 1000 };
const sources = networks.map((network) => withCaptions(createSandbox(network, settings)));
const service = await startService(config, { sources });
const organization = newId('org', randomBytes);
await service.principals.createOrganization({ id: organization, slug: organization, marketplace: true });
const ordinary = await issue(service, organization, UNREACHED);
const spent = await issue(service, organization, 0);
process.send?.({ port: service.port, tokens: { ordinary, spent } });
