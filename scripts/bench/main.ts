/** `npm run bench`: what the service costs, beside other stacks and as it grows; writes pages and pictures to `docs/bench/`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compare, durationOf, servers, type ServerName } from './compare.ts';
import { comparisonPage, mainRows, readmeSection } from './compare-page.ts';
import { gate } from './gate.ts';
import { growth } from './growth.ts';
import { noticeNeighbours } from './machine.ts';
import { picture } from './picture.ts';
import { scale } from './scale.ts';
import { sizes } from './sizes.ts';
import { workloads } from './workloads.ts';

const HELP = `Usage: npm run bench [-- options]

Without a mode: the service beside its peers; writes docs/bench/README.md, its pictures and the table of README.md.

  --sizes          starts, memory, latencies of one client, what must not grow   (about 3 minutes, docs/bench/sizes.md)
  --growth         with more documents, larger batches, deeper queues, more
                   principals, on both engines                                   (about 6 minutes, docs/bench/growth.md)
  --scale          what nodes and PostgreSQL spend on a request, and what 1, 4
                   and 16 nodes carry by that                                    (about 2 minutes, docs/bench/scale.md)
  --gate           service against raw node:http, batch of 100; exit 1 below the bound

  --rounds <n>     rounds, each of which measures every server once (default 9; --gate 5)
  --seconds <s>    of one measurement (default 0.4; --gate 1): short and often, as neighbours come in bursts
  --only <names>   comma-separated servers and workloads; the pages are then printed, not written
  --out <folder>   where pages go (default docs/bench)
  --help           this text

Servers: ${Object.keys(servers).join(', ')}
Workloads: ${workloads.map(({ name }) => name).join(', ')}
`;

const CONNECTIONS = 16;
const README = new URL('../../README.md', import.meta.url);

function fail(message: string): never {
  process.stderr.write(`bench: ${message}; npm run bench -- --help lists what is allowed\n`);
  process.exit(2);
}

function read() {
  try {
    return parseArgs({
      options: {
        sizes: { type: 'boolean' },
        growth: { type: 'boolean' },
        scale: { type: 'boolean' },
        gate: { type: 'boolean' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        only: { type: 'string' },
        out: { type: 'string', default: 'docs/bench' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return fail((error as Error).message.split('\n')[0] ?? '');
  }
}

const options = read();

function positive(name: string, text: string): number {
  const number = Number(text);
  return number > 0 && number <= 1000
    ? number
    : fail(`--${name} is "${text}", but has to be a number above 0, at most 1000`);
}

const began = performance.now();
const say = (line: string): void =>
  void process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

const write = (name: string, text: string): void => {
  mkdirSync(options.out, { recursive: true });
  writeFileSync(join(options.out, name), text);
};

const BEGIN = '<!-- bench: written by npm run bench -->';
const END = '<!-- /bench -->';

/** Puts the text between the two comments of the README. */
function writeReadme(section: string): void {
  const readme = readFileSync(README, 'utf8');
  const [start, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md has no ${BEGIN} … ${END}`);
  writeFileSync(README, `${readme.slice(0, start + BEGIN.length)}\n\n${section}\n\n${readme.slice(end)}`);
}

/** The names of `--only`, as far as they are of this kind; all of them where it names none. */
function chosen<Name extends string>(all: readonly Name[]): Name[] {
  const names = (options.only ?? '').split(',').filter(Boolean);
  const some = all.filter((name) => names.includes(name));
  return some.length > 0 ? some : [...all];
}

function checkOnly(): void {
  const known = [...Object.keys(servers), ...workloads.map(({ name }) => name)];
  const unknown = (options.only ?? '').split(',').find((name) => name !== '' && !known.includes(name));
  if (unknown !== undefined) fail(`--only names "${unknown}", which is neither a server nor a workload`);
}

/** The peers live here and not among the product's dependencies; the first comparison installs them. */
function installPeers(): void {
  if (existsSync(new URL('node_modules', import.meta.url))) return;
  say('installing the peers');
  const here = fileURLToPath(new URL('.', import.meta.url));
  execFileSync('npm', ['ci', '--silent', '--prefix', here], { stdio: ['ignore', 'inherit', 'inherit'] });
}

async function runComparison(): Promise<number> {
  checkOnly();
  installPeers();
  const measured = {
    rounds: positive('rounds', options.rounds ?? '9'),
    seconds: positive('seconds', options.seconds ?? '0.4'),
    connections: CONNECTIONS,
    servers: chosen(Object.keys(servers) as ServerName[]),
    workloads: chosen(workloads.map(({ name }) => name)),
    starts: true,
    say,
  };
  const minutes = Math.ceil(durationOf(measured) / 60);
  say(`${measured.servers.length} servers, ${measured.workloads.length} workloads: about ${minutes} minutes`);
  const comparison = await compare(measured);
  const page = comparisonPage(comparison, measured);
  if (options.only !== undefined) return (console.log(page), 0);
  write('README.md', page);
  write('bench.svg', picture(comparison.rows));
  write('overview.svg', picture(mainRows(comparison)));
  writeReadme(readmeSection(comparison));
  say(`written to ${options.out} and README.md`);
  return 0;
}

async function main(): Promise<number> {
  if (options.help) return (process.stdout.write(HELP), 0);
  if (options.gate)
    return gate({
      rounds: positive('rounds', options.rounds ?? '5'),
      seconds: positive('seconds', options.seconds ?? '1'),
      connections: CONNECTIONS,
      say,
    });
  await noticeNeighbours();
  if (options.sizes) return sizes({ write, say });
  if (options.growth) return growth({ write, say });
  if (options.scale) return scale({ write, say });
  return runComparison();
}

process.exitCode = await main();
