/**
 * What we take from others: exact versions, a lock file that holds each package to its bytes, no install script that was not approved
 * by name, and no known hole of high severity in what the service runs on. A registry that keeps no advisories cannot be asked: that is said, and
 * does not fail.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootOption, runCommand } from './command.ts';
import { killAtExit } from './ending.ts';

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly allowScripts?: Record<string, boolean>;
}
interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}
export interface Lock {
  readonly packages: Record<string, Locked>;
}

const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const folder = 'node_modules/';
const nameOf = (place: string): string => place.slice(place.lastIndexOf(folder) + folder.length);

/** A line for each version that is a range, package that is not locked, or install script that nobody approved. */
export function supplyFaults(manifest: Manifest, lock: Lock): string[] {
  const { dependencies, devDependencies, optionalDependencies, allowScripts = {} } = manifest;
  const ranges = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !exact.test(version))
    .map(([name, version]) => `package.json: ${name} is ${version}, no exact version`);
  const installed = Object.entries(lock.packages).filter(([place, { link }]) => place.includes(folder) && !link);
  const unlocked = installed
    .filter(([, { integrity, inBundle }]) => integrity === undefined && !inBundle)
    .map(([place]) => `package-lock.json: ${place} has no integrity`);
  const unapproved = installed
    .filter(
      ([place, { hasInstallScript, optional }]) => hasInstallScript && !optional && !(nameOf(place) in allowScripts),
    )
    .map(([place]) => `package-lock.json: ${place} runs a script when installed; allowScripts does not name it`);
  return [...ranges, ...unlocked, ...unapproved];
}

interface Audit {
  readonly metadata?: { readonly vulnerabilities: { readonly high: number; readonly critical: number } };
  readonly vulnerabilities?: Record<string, { readonly severity: string }>;
}

/** A line for each package of high or critical severity; null where the registry gave no answer. */
export function auditFaults(answer: string): string[] | null {
  let audit: Audit;
  try {
    audit = JSON.parse(answer) as Audit;
  } catch {
    return null;
  }
  if (audit.metadata === undefined) return null;
  return Object.entries(audit.vulnerabilities ?? {})
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(([name, { severity }]) => `npm audit: ${name} has a known hole of ${severity} severity`);
}

const askRegistry = (root: string): Promise<string> =>
  new Promise((answered) => {
    const words = ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=20000'];
    killAtExit(
      execFile('npm', words, { cwd: root, timeout: 60_000, maxBuffer: 2 ** 26 }, (_error, out) => answered(out)),
    );
  });

const usage = `Usage: node scripts/supply-chain.ts [--root <folder>]

Checks what package.json and package-lock.json take from others, and asks the registry for known holes; exit 1 names each fault.

  --root <folder>   the checkout that is checked (default: this one)
  --help            this text
`;

async function faultsIn(root: string): Promise<string[]> {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const audit = auditFaults(await askRegistry(root));
  if (audit === null)
    console.log('note: the registry keeps no advisories or did not answer: known holes were not looked for');
  return [...supplyFaults(read('package.json') as Manifest, read('package-lock.json') as Lock), ...(audit ?? [])];
}

if (import.meta.main)
  await runCommand({
    name: 'supply-chain',
    usage,
    options: rootOption,
    async run({ root }) {
      const faults = await faultsIn(root);
      for (const fault of faults) console.error(fault);
      return faults.length > 0 ? 1 : 0;
    },
  });
