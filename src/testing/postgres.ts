/**
 * vitest's global set-up: one PostgreSQL for the whole run, started when the first test file asks for it, so that a run
 * without storage tests starts none. `TEST_DATABASE_URL` names a server to use instead.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres, type EmbeddedServer } from './embedded-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers the URL of a running PostgreSQL to any GET. */
    postgresStarter: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<EmbeddedServer> | undefined;
  const url = async (): Promise<string> => {
    const given = process.env['TEST_DATABASE_URL'];
    if (given) return given;
    server ??= startEmbeddedPostgres();
    return (await server).url;
  };
  const starter = createServer((_request, response) => {
    url().then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve));
  project.provide('postgresStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
  return async () => {
    starter.close();
    starter.closeAllConnections();
    await (await server?.catch(() => undefined))?.stop();
  };
}
