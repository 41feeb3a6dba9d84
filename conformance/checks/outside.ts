/** Rules that nobody can see over HTTP alone, each with where this repository proves it instead. */
export const outside: Readonly<Record<string, string>> = {
  'GEN-12': "the command that puts in the real identifiers, run by the repository's own check",
  'AUT-08': 'src/auth (tests with a store that does not answer)',
  'AUT-11': 'src/auth (tests of the token and of what is stored)',
  'RAT-08': 'src/auth (tests of the budget on one database with several nodes)',
  'CRB-09': 'src/discovery (tests of the worker)',
  'CRB-10': 'src/discovery and src/storage (tests with a clock moved by hand)',
  'DOC-14': 'src/lookup (tests of the projection)',
  'DOC-15': 'src/discovery (tests of the sources)',
  'STA-01': 'src/storage and src/discovery (tests of joining, on both engines)',
  'STA-02': 'src/lookup (tests of the table of states)',
  'STA-03': 'src/lookup and src/storage (tests of a failed refresh)',
  'STA-05': 'src/discovery (tests of retries with a clock moved by hand)',
  'STA-06': 'src/discovery (tests of leases)',
  'ERR-04': 'src/http (tests of faults)',
  'ERR-05': 'src/http (tests of the guard)',
  'VER-02': 'scripts/compatibility (tests of the classification)',
};
