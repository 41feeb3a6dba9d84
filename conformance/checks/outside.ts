/**
 * Rules that nobody can see over HTTP alone, each with a test of this repository that proves it instead: its file, and the name
 * by which it is found there. `npm run check` holds both to what is there.
 */
export interface Proof {
  readonly file: string;
  readonly test: string;
}

const by = (file: string, test: string): Proof => ({ file, test });

export const outside: Readonly<Record<string, Proof>> = {
  'GEN-12': by('scripts/adopt.test.ts', 'GEN-12 the words'),
  'AUT-08': by('src/auth/authenticate.test.ts', 'AUT-08 F11 a store that cannot answer'),
  'AUT-11': by('src/auth/authenticate.test.ts', 'AUT-11 no token is in the store, only its hash'),
  'RAT-08': by('src/auth/budget.test.ts', 'RAT-08 three nodes together let in exactly the budget'),
  'CRB-09': by('src/discovery/worker.test.ts', 'CRB-09 deep analysis also holds the recent posts'),
  'CRB-10': by('src/storage/documents.test.ts', 'CRB-10 the deep window restarts and never shortens'),
  'DOC-14': by('src/storage/documents.test.ts', 'DOC-14 audience demographics stay only under a live grant'),
  'DOC-15': by(
    'src/discovery/sources/sandbox.test.ts',
    'DOC-15 demographics are normalized: genders, countries, states',
  ),
  'STA-01': by(
    'src/storage/discoveries.test.ts',
    'STA-01 of many reads at once on several nodes, each key is started once',
  ),
  'STA-02': by('src/http/reads.test.ts', 'STA-02 a stale read answers the held document and starts a refresh'),
  'STA-03': by('src/discovery/worker.test.ts', 'STA-03 a failed refresh leaves the held document'),
  'STA-05': by('src/discovery/worker.test.ts', 'STA-05 a failed attempt is repeated after a back-off'),
  'STA-06': by('src/discovery/worker.test.ts', 'F3 STA-06 the work of a dead process is finished'),
  'ERR-04': by('src/http/input.test.ts', 'ERR-04 a 500 tells nothing of the fault'),
  'ERR-05': by('src/http/reads.test.ts', 'ERR-05 a corrupt row never leaves'),
  'VER-02': by('scripts/compatibility.test.ts', 'VER-02 the contract is compatible with itself'),
};
