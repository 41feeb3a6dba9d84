import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startMock, type Mock } from '../mock/start.ts';
import { startBrowser } from '../testing/browser.ts';

const time = { now: Date.now() };
let mock: Mock;
let browser: Browser;
beforeAll(async () => {
  mock = await startMock({ port: 0, clock: () => time.now, random: Math.random });
  browser = await startBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await mock.close();
});

describe('the reference page', () => {
  it('loads from this server alone, authorizes, sends a read and shows the answer', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1100 } });
    const foreign: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(mock.url) && !request.url().startsWith('data:')) foreign.push(request.url());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${mock.url}/docs`);
    await page.waitForSelector('.opblock');
    expect(await page.locator('.opblock').count()).toBe(5);
    expect(await page.locator('.states svg').isVisible()).toBe(true);

    await page.click('.auth-wrapper .authorize');
    await page.fill('.dialog-ux input', 'mock-full');
    await page.click('.dialog-ux button.authorize');
    await page.click('.dialog-ux button.btn-done');
    await page.click('[id$="getCreator"] .opblock-summary-control');
    await page
      .fill('tr[data-param-name="network"] input, tr[data-param-name="network"] select', 'netA')
      .catch(() => undefined);
    await page.fill('tr[data-param-name="handle"] input', 'ada');
    await page.click('[id$="getCreator"] .execute');
    const answer = page.locator('.live-responses-table .response').first();
    await answer.getByText('202', { exact: true }).waitFor();
    expect(await answer.innerText()).toMatch(/retry-after: 1[\s\S]*x-request-id: \S+/);
    time.now += 1000;
    await page.click('[id$="getCreator"] .execute');
    await answer.getByText('200', { exact: true }).waitFor();
    expect(await answer.innerText()).toMatch(/"username": "ada"/);
    expect({ foreign, problems }).toEqual({ foreign: [], problems: [] });
  }, 60_000);

  it('is light or dark as the system of its reader, and follows it', async () => {
    const page = await browser.newPage({ colorScheme: 'dark', viewport: { width: 1280, height: 1100 } });
    await page.goto(`${mock.url}/docs`);
    await page.waitForSelector('.opblock');
    const colours = () =>
      page.evaluate(() => [
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector('.states .fetching rect')!).fill,
      ]);
    // The page hears of the change after the emulation has said that it was made.
    await expect.poll(colours).toContain('rgb(28, 32, 34)');
    const dark = await colours();
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(colours).toContain('rgb(255, 255, 255)');
    expect((await colours())[1]).not.toBe(dark[1]);
  }, 60_000);

  it('fits a narrow screen, shows where the keyboard is, and is legible in the dark', async () => {
    const page = await browser.newPage({ colorScheme: 'dark', viewport: { width: 320, height: 800 } });
    await page.goto(`${mock.url}/docs`);
    const operation = page.locator('[id$="getCreator"] .opblock-summary-control');
    await operation.waitFor();
    for (let stops = 0; stops < 40; stops += 1) {
      await page.keyboard.press('Tab');
      if (await operation.evaluate((button) => button === document.activeElement)) break;
    }
    expect(await operation.evaluate((button) => getComputedStyle(button).outlineStyle)).toBe('solid');
    await page.keyboard.press('Enter');
    const header = page.locator('[id$="getCreator"] table.headers td').first();
    await header.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await expect.poll(() => header.evaluate((cell) => getComputedStyle(cell).color)).toBe('rgb(176, 184, 193)');
  }, 60_000);

  it('serves the contract as JSON and as YAML', async () => {
    const json: unknown = await (await fetch(`${mock.url}/openapi.json`)).json();
    expect(parse(await (await fetch(`${mock.url}/openapi.yaml`)).text(), { maxAliasCount: -1 })).toEqual(json);
    const missing = await fetch(`${mock.url}/docs/nothing`);
    expect([missing.status, missing.headers.has('x-request-id')]).toEqual([404, true]);
  });
});
