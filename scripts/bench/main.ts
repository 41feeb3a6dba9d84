/** `npm run bench`: what the service costs, beside other stacks and as it grows; writes pages and pictures to `docs/bench/`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand, wholeNumber, WrongUsage } from '../command.ts';
import { compare, durationOf, servers, type ServerName } from './compare.ts';
import { comparisonPage, mainRows, readmeSection } from './compare-page.ts';
import { gate } from './gate.ts';
import { growth } from './growth.ts';
import { noticeNeighbours } from './machine.ts';
import { picture } from './picture.ts';
import { scale } from './scale.ts';
import { sizes } from './sizes.ts';
import { workloads } from './workloads.ts';

const usage = `Usage: npm run bench [-- options]

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

/** What `--rounds` and `--seconds` say, within what makes sense. @throws WrongUsage */
function timesOf({ rounds, seconds }: { rounds: string; seconds: string }): { rounds: number; seconds: number } {
  const number = Number(seconds);
  if (!(number > 0 && number <= 1000))
    throw new WrongUsage(`--seconds is ${JSON.stringify(seconds)}, but has to be a number above 0, at most 1000`);
  return { rounds: wholeNumber('rounds', rounds, { least: 1, most: 1000 }), seconds: number };
}

const began = performance.now();
const say = (line: string): void =>
  void process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

const writeTo =
  (folder: string) =>
  (name: string, text: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
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

/** The servers and workloads that `--only` names; all of a kind where it names none of that kind. @throws WrongUsage */
function chosenBy(only: string): { servers: ServerName[]; workloads: string[] } {
  const known = { servers: Object.keys(servers) as ServerName[], workloads: workloads.map(({ name }) => name) };
  const names = only.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => ![...known.servers, ...known.workloads].includes(name));
  if (unknown !== undefined)
    throw new WrongUsage(`--only names ${JSON.stringify(unknown)}, which is neither a server nor a workload`);
  const some = <Name extends string>(all: readonly Name[]): Name[] => {
    const named = all.filter((name) => names.includes(name));
    return named.length > 0 ? named : [...all];
  };
  return { servers: some(known.servers), workloads: some(known.workloads) };
}

/** The peers live here and not among the product's dependencies; the first comparison installs them. */
function installPeers(): void {
  if (existsSync(new URL('node_modules', import.meta.url))) return;
  say('installing the peers');
  const here = fileURLToPath(new URL('.', import.meta.url));
  execFileSync('npm', ['ci', '--silent', '--prefix', here], { stdio: ['ignore', 'inherit', 'inherit'] });
}

interface Comparing {
  readonly rounds: number;
  readonly seconds: number;
  readonly only: string | undefined;
  readonly out: string;
}

async function runComparison({ rounds, seconds, only, out }: Comparing): Promise<number> {
  const measured = { rounds, seconds, connections: CONNECTIONS, ...chosenBy(only ?? ''), starts: true, say };
  installPeers();
  const minutes = Math.ceil(durationOf(measured) / 60);
  say(`${measured.servers.length} servers, ${measured.workloads.length} workloads: about ${minutes} minutes`);
  const comparison = await compare(measured);
  const page = comparisonPage(comparison, measured);
  if (only !== undefined) return (console.log(page), 0);
  const write = writeTo(out);
  write('README.md', page);
  write('bench.svg', picture(comparison.rows));
  write('overview.svg', picture(mainRows(comparison)));
  writeReadme(readmeSection(comparison));
  say(`written to ${out} and README.md`);
  return 0;
}

const modes = { sizes, growth, scale };
type Mode = keyof typeof modes | 'gate';

/** The one mode that was asked for; null: the comparison. @throws WrongUsage */
function modeOf(asked: Readonly<Record<Mode, boolean>>): Mode | null {
  const named = (['sizes', 'growth', 'scale', 'gate'] as const).filter((mode) => asked[mode]);
  if (named.length > 1) throw new WrongUsage(`--${named.join(' and --')} are different runs; choose one`);
  return named[0] ?? null;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

await runCommand({
  name: 'bench',
  usage,
  options: {
    sizes: flag,
    growth: flag,
    scale: flag,
    gate: flag,
    rounds: text,
    seconds: text,
    only: text,
    out: { ...text, default: 'docs/bench' },
  },
  async run({ rounds, seconds, only, out, ...asked }) {
    const mode = modeOf(asked);
    if (mode === 'gate')
      return gate({ ...timesOf({ rounds: rounds ?? '5', seconds: seconds ?? '1' }), connections: CONNECTIONS, say });
    if (mode !== null && (rounds ?? seconds ?? only) !== undefined)
      throw new WrongUsage(`--rounds, --seconds and --only are not for --${mode}, whose measurements are set`);
    const times = timesOf({ rounds: rounds ?? '9', seconds: seconds ?? '0.4' });
    await noticeNeighbours();
    return mode === null ? runComparison({ ...times, only, out }) : modes[mode]({ write: writeTo(out), say });
  },
});
