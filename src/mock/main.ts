#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { principalOfToken, refusedTokens } from './principals.ts';
import type { MockOptions } from './start.ts';

const help = `The mock of the lookup service: a client written against it meets the service unchanged.

Usage: lookup-mock [options]

  --port NUMBER      port to listen on (default 4010; 0 takes any free one)
  --host NAME        address to listen on (default 127.0.0.1)
  --latency MS       wait this long before each answer (default 0)
  --fail-rate SHARE  share of reads that answer 500, from 0 to 1 (default 0)
  --help             show this help

Tokens: ${[...principalOfToken.keys()].join(', ')};
refused: ${refusedTokens.join(', ')}. mock-small may send 5 requests a minute, the others 60.

Every creator and post is fetched for a second when first read, and then held. What its name begins with decides more:
  missing  is unavailable         slow     takes 5 seconds        flaky  takes longer than announced
  broken   the service fails      bare     nothing observed       silent no posts
  posts:   old, outside, orphan, unresolved; carousel, story, reel, image, video
Organizations: asOrg=acme may be acted for, globex not; asProfile=campaign is known.
A header "Prefer: code=404, example=NAME" chooses an answer of the contract by hand.
`;

class UsageError extends Error {}

function numberOf(text: string, name: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a number from ${least} to ${most}, not "${text}"`);
}

function portOf(text: string): number {
  const port = numberOf(text, 'port', 0, 65_535);
  if (Number.isInteger(port)) return port;
  throw new UsageError(`--port must be a whole number, not "${text}"`);
}

function optionsOf(argv: readonly string[]): MockOptions | null {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      latency: { type: 'string', default: '0' },
      'fail-rate': { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  if (values.host.trim() === '')
    throw new UsageError('--host must name an address: without one, all would be listened on');
  return {
    port: portOf(values.port),
    host: values.host,
    latencyMilliseconds: numberOf(values.latency, 'latency', 0, 600_000),
    failRate: numberOf(values['fail-rate'], 'fail-rate', 0, 1),
    clock: Date.now,
    random: Math.random,
  };
}

/** The first line is read by programs too; what follows is to be pasted. */
const welcome = (url: string): string => `mock of the lookup service at ${url}/api/v1, reference page at ${url}/docs

In another terminal, twice, a second apart (202 fetching, then 200):
  export LOOKUP_URL=${url} LOOKUP_TOKEN=mock-full
  curl -i -H "Authorization: Bearer $LOOKUP_TOKEN" "$LOOKUP_URL/api/v1/creators/netA/ada"
`;

function explained(error: unknown): string | null {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS'))
    return `${message.split('\n', 1)[0]} (--help tells more)`;
  if (code === 'EADDRINUSE') return `port ${port} is in use: choose another with --port`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `can not listen there: ${message}`;
  return null;
}

try {
  const options = optionsOf(process.argv.slice(2));
  if (options === null) process.stdout.write(help);
  else {
    // Loaded late: help and wrong usage are told at once.
    const { startMock } = await import('./start.ts');
    const mock = await startMock(options);
    console.log(welcome(mock.url));
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void mock.close().then(() => process.exit(0)));
  }
} catch (error) {
  const line = explained(error);
  if (line === null) throw error;
  console.error(`lookup-mock: ${line}`);
  process.exitCode = 2;
}
