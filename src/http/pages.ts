import express, { type Response, type Router } from 'express';

export interface PageParts {
  /** Whether this process should be given requests: its store answers, and it is not being stopped. */
  readonly ready: () => Promise<boolean>;
  readonly metrics: () => Promise<string>;
  readonly metricsType: string;
}

/** Pages for operators, which are not part of the API's contract: `/healthz`, `/readyz`, `/metrics`. */
export function createPages({ ready, metrics, metricsType }: PageParts): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.get('/healthz', (_request, response) => send(response, 200, 'application/json', '{"status":"ok"}'));
  router.get('/readyz', async (_request, response) => {
    const isReady = await ready().catch(() => false);
    send(response, isReady ? 200 : 503, 'application/json', isReady ? '{"status":"ready"}' : '{"status":"not ready"}');
  });
  router.get('/metrics', async (_request, response) => send(response, 200, metricsType, await metrics()));
  return router;
}

function send(response: Response, status: number, type: string, body: string): void {
  response.status(status).set('Cache-Control', 'no-store').type(type).send(body);
}
