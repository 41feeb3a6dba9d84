/** The client as it is, in a real browser, on a page of another origin than the mock. */
import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from '../mock/start.ts';
import { startBrowser } from '../testing/browser.ts';

const origin = 'https://team.example';
const openapiFetch = join(dirname(createRequire(import.meta.url).resolve('openapi-fetch')), 'index.mjs');

const program = (url: string): string => `<!doctype html>
<script type="importmap">{ "imports": { "openapi-fetch": "/openapi-fetch.js" } }</script>
<script type="module">
  import { createClient } from '/client/client.ts';
  const client = createClient({ baseUrl: '${url}', token: 'mock-full' });
  const told = [];
  try {
    const wait = { deadlineSeconds: 20 };
    told.push((await client.readCreator('netA', 'ada', { wait, include: ['posts'] })).document.channels[0].username);
    for await (const entry of client.readManyPosts(['netA:C1', 'netB:7', 'netA:old1'], { wait })) told.push(entry.id + ' ' + entry.is);
    await createClient({ baseUrl: '${url}', token: 'mock-expired' }).readCreator('netA', 'ada').catch((error) => told.push(error.code + ' ' + (error.requestId !== null)));
  } catch (error) { told.push(String(error)); }
  document.title = told.join(', ');
</script>`;

/** Types off the sources, as Node does it; nothing is bundled. */
function serve(route: Route, url: string): Promise<void> {
  const { pathname } = new URL(route.request().url());
  if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: program(url) });
  const isOwn = pathname.startsWith('/client/');
  const text = readFileSync(isOwn ? join(import.meta.dirname, basename(pathname)) : openapiFetch, 'utf8');
  return route.fulfill({ contentType: 'text/javascript', body: isOwn ? stripTypeScriptTypes(text) : text });
}

describe('the client in a browser', () => {
  let mock: Mock;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    mock = await startMock({ port: 0, clock: Date.now, random: Math.random });
    browser = await startBrowser();
    page = await browser.newPage();
    await page.route(`${origin}/**`, (route) => serve(route, mock.url));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await mock.close();
  });

  it('waits, reads many and has its errors typed, with nothing but openapi-fetch', async () => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => document.title !== '', null, { timeout: 40_000 });
    const [creator, ...others] = (await page.title()).split(', ');
    expect(problems).toEqual([]);
    expect(creator).toBe('ada');
    expect(others.toSorted()).toEqual(
      ['netA:C1 held', 'netA:old1 unavailable', 'netB:7 held', 'unauthorized true'].toSorted(),
    );
  }, 60_000);
});
