import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, platform, release, totalmem } from 'node:os';

/** Where figures come from: cores, memory, system, Node, day. */
export function machine(): string {
  const [first] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const day = new Date().toISOString().slice(0, 10);
  return `${cpus().length} × ${first?.model ?? 'unknown processor'}, ${memory}, ${platform()} ${release()}, Node ${process.version}, ${day}`;
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
