import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,conformance,scripts}/**/*.test.ts'],
    globalSetup: ['./src/testing/postgres.ts'],
    pool: 'forks',
    // One more than the cores of the smallest machine: many tests wait for a process or a deadline.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
