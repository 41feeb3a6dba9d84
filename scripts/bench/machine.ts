import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, platform, release, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

let busyShare = 0;
/** Above it, figures say more of the neighbours than of what is measured. */
const quietShare = 0.1;

/** Looks for a second, before anything of ours runs, at how much of the machine others use. */
export async function noticeNeighbours(): Promise<void> {
  const before = cpuTimes();
  await pause(1000);
  const after = cpuTimes();
  busyShare = 1 - (after.idle - before.idle) / (after.all - before.all);
}

function cpuTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({
    idle,
    all: user + nice + sys + idle + irq,
  }));
  return times.reduce((sum, { idle, all }) => ({ idle: sum.idle + idle, all: sum.all + all }), { idle: 0, all: 0 });
}

const warning = (): string =>
  busyShare <= quietShare
    ? ''
    : `; **others used ${Math.round(busyShare * 100)} % of the machine before the run: trust processor time and its ratios, not requests a second and latencies**`;

/** Where figures come from: cores, memory, system, Node, day; and a warning where the machine was not ours alone. */
export function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const day = new Date().toISOString().slice(0, 10);
  const [first] = cpus();
  const where = `${cpus().length} × ${first?.model ?? 'unknown processor'}, ${memory}, ${platform()} ${release()}`;
  return `${where}, Node ${process.version}, ${day}${warning()}`;
}

const packages = ['express', 'express-openapi-validator', 'ajv', '@stoplight/prism-cli', 'fastify', 'hono'];

/** Versions of what is compared, as installed. */
export function versions(): string {
  return packages.map((name) => `${name} ${versionOf(name)}`).join(', ');
}

function versionOf(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    try {
      return (JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')) as { version: string }).version;
    } catch {
      continue;
    }
  }
  return 'not installed';
}
