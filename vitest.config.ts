import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,conformance,scripts}/**/*.test.ts'],
    globalSetup: ['./src/testing/postgres.ts'],
    pool: 'forks',
    // One more than the cores of the smallest machine: many tests wait for a process or a deadline.
    maxWorkers: 3,
    // The commands that tests start share what is compiled of them, as `npm start` does.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
