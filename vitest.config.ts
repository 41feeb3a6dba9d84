import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,conformance,scripts}/**/*.test.ts'],
    globalSetup: ['./src/testing/postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
