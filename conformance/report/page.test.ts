import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as browsers, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { html } from './index.ts';
import { sample } from './report.fixture.ts';

/** The browser's package carries the libraries that a bare machine lacks. */
async function launch(): Promise<Browser> {
  const executablePath = process.env['BROWSER_PATH'] ?? (await chromium.executablePath());
  const libraries = join(tmpdir(), 'al2023', 'lib');
  const env = { ...process.env, ...(existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {}) } as Record<
    string,
    string
  >;
  return browsers.launch({ executablePath, args: [...chromium.args, '--no-sandbox'], headless: true, env });
}

describe('the page in a browser', () => {
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  const complaints: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const file = join(folder, 'report.html');

  beforeAll(async () => {
    writeFileSync(file, html(sample));
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(pathToFileURL(file).href);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  it('asks for nothing but itself, and nothing fails', () => {
    expect(asked).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('shows failures first and open, with expected, seen, pointer and curl', async () => {
    const first = page.locator('.rule').first();
    expect(await first.getAttribute('data-verdict')).toBe('failed');
    expect(await first.locator('.finding').innerText()).toMatch(/an object[\s\S]*\/data\/channels\/0[\s\S]*curl/);
    expect(await first.locator('.finding').isVisible()).toBe(true);
  });

  it('finds rules by words, filters by verdict, and says when nothing matches', async () => {
    await page.fill('#search', 'expired');
    expect(await page.locator('.rule:visible').count()).toBe(1);
    await page.fill('#search', 'nothing like this');
    expect(await page.locator('#none').isVisible()).toBe(true);
    await page.fill('#search', '');
    await page.click('[data-filter=passed]');
    expect(await page.locator('.rule:visible').count()).toBe(1);
    await page.click('[data-filter=passed]');
  });

  it('opens the exchange that a finding links to', async () => {
    await page.locator('.finding a').first().click();
    await expect.poll(() => page.locator('#x01').isVisible()).toBe(true);
  });

  it('has another ground in the dark', async () => {
    const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).not.toBe(light);
  });

  it('is no wider than a telephone', async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});
