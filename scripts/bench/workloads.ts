import { readFileSync } from 'node:fs';
import { requestOf } from './load.ts';
import type { Running } from './processes.ts';

/** Whose request it is: of one whose budget is never spent, or of one whose always is. */
type Caller = 'ordinary' | 'spent';

export interface Tokens {
  readonly ordinary: string;
  readonly spent: string;
}

interface Kind {
  readonly path: string;
  readonly caller: Caller;
  readonly status: number;
  /** The answer's name where a server has several for one path (Prism); sent to all of them alike. */
  readonly example: string;
}

/** Requests of one kind, or a blend of kinds. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  /** How many of each kind come in one turn. */
  readonly blend: readonly { readonly kind: Kind; readonly times: number }[];
}

export const largestBatch = 100;

/** Names of posts of the sandbox world. */
export const postIds = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `C${1000 + index}bench`);
export const batchPath = (count: number): string => `/api/v1/posts?ids=${postIds(count).join(',')}`;

interface Bundle {
  readonly components: { readonly schemas: { readonly Analysis: { readonly properties: object } } };
}
const bundle = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as Bundle;
export const analysisKeys = Object.keys(bundle.components.schemas.Analysis.properties).join();

const held = (path: string, example: string): Kind => ({ path, caller: 'ordinary', status: 200, example });
export const creatorPath = '/api/v1/creators/netA/ada';
export const creatorWithPostsPath = `${creatorPath}?include=posts`;
export const analysisPath = `/api/v1/posts?url=https://neta.example/p/${postIds(1)[0]}&include=${analysisKeys}`;
export const fetchingPath = '/api/v1/creators/netA/slowbench';
const creator = held(creatorPath, 'creator');
const creatorWithPosts = held(creatorWithPostsPath, 'creator-posts');
const batch = (count: number): Kind => held(batchPath(count), `batch-${count}`);
const analysis = held(analysisPath, 'analysis');
const fetching: Kind = { path: fetchingPath, caller: 'ordinary', status: 202, example: 'fetching' };
const limited: Kind = { path: creatorPath, caller: 'spent', status: 429, example: 'limited' };

const of = (name: string, title: string, kind: Kind): Workload => ({ name, title, blend: [{ kind, times: 1 }] });

export const workloads: readonly Workload[] = [
  of('single', 'one held creator', creator),
  of('single-posts', 'one held creator with its posts', creatorWithPosts),
  of('batch-1', 'batch of 1 post', batch(1)),
  of('batch-10', 'batch of 10 posts', batch(10)),
  of('batch-100', `batch of ${largestBatch} posts`, batch(largestBatch)),
  of('analysis', 'one post with analysis', analysis),
  of('fetching', 'fetching (202)', fetching),
  of('limited', 'budget spent (429)', limited),
  {
    name: 'mixed',
    title: 'mixed',
    blend: [
      { kind: creator, times: 10 },
      { kind: batch(10), times: 4 },
      { kind: analysis, times: 3 },
      { kind: fetching, times: 1 },
      { kind: limited, times: 1 },
      { kind: batch(largestBatch), times: 1 },
    ],
  },
];

export function workloadOf(name: string): Workload {
  const found = workloads.find((workload) => workload.name === name);
  if (!found)
    throw new Error(`There is no workload ${name}; there are ${workloads.map(({ name }) => name).join(', ')}`);
  return found;
}

/** The requests of a workload, the kinds of a blend spread evenly over a turn. */
export function requestsOf({ blend }: Workload, tokens: Tokens): Buffer[] {
  const placed = blend.flatMap(({ kind, times }) =>
    Array.from({ length: times }, (_, index) => ({ kind, at: (index + 0.5) / times })),
  );
  return placed
    .toSorted((a, b) => a.at - b.at)
    .map(({ kind: { path, caller, status, example } }) =>
      requestOf(path, tokens[caller], { Prefer: `code=${status}, example=${example}` }),
    );
}

/** @throws where a server answered anything but what the workload is about. */
export function expectStatuses({ name, blend }: Workload, statuses: Readonly<Record<string, number>>): void {
  const expected = new Set(blend.map(({ kind }) => String(kind.status)));
  const others = Object.keys(statuses).filter((status) => !expected.has(status));
  if (others.length > 0)
    throw new Error(`${name}: answered ${JSON.stringify(statuses)}, expected ${[...expected].join()}`);
}

export async function get({ port }: Running, path: string, token: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${token}` } });
}

export const tokensOf = ({ told }: Running): Tokens => (told as { tokens: Tokens }).tokens;

/** Reads again until every post and creator of the workloads is held. */
export async function discoverAll(service: Running, { ordinary }: Tokens): Promise<void> {
  const deadline = performance.now() + 30_000;
  const isHeld = async (path: string): Promise<boolean> => {
    const answer = await get(service, path, ordinary);
    const { fetching = [] } = (await answer.json()) as { fetching?: object[] };
    return answer.status === 200 && fetching.length === 0;
  };
  for (const path of [creatorPath, batchPath(largestBatch), analysisPath]) {
    while (!(await isHeld(path))) {
      if (performance.now() > deadline) throw new Error(`${path.slice(0, 60)} was not discovered within 30 s`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await get(service, fetchingPath, ordinary);
}
