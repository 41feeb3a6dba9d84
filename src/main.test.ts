import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');

const left: ChildProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const child of left.splice(0)) child.kill('SIGKILL');
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

function launch(settings: Record<string, string>, ...parameters: string[]) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', LOG_LEVEL: 'warn', ...settings };
  const child = spawn(process.execPath, [MAIN, ...parameters], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  left.push(child);
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk) => (said.out += String(chunk)));
  child.stderr.on('data', (chunk) => (said.error += String(chunk)));
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  return { child, said, ended };
}

async function start(settings: Record<string, string>) {
  const process = launch(settings);
  await expect.poll(() => process.said.out, { timeout: 15_000 }).toMatch(/To issue .*\n/);
  const base = /http:\/\/\S+\/api\/v1/.exec(process.said.out)?.[0] ?? '';
  const port = Number(new URL(base).port);
  return { ...process, base, port };
}
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lookup-main-'));
  folders.push(folder);
  return folder;
}

it('the image runs what npm start runs', () => {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  expect(JSON.parse(/^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]')).toEqual(scripts.start.split(' '));
});

describe('the command line', () => {
  it('--help lists the settings and ends with 0', async () => {
    const { said, ended } = launch({}, '--help');
    expect((await ended)[0]).toBe(0);
    for (const name of ['PORT', 'DATA_DIR', 'DATABASE_URL', 'CORS_ORIGINS']) expect(said.out).toContain(`  ${name} `);
  });
  it.each([
    [{}, ['--port', '1'], 'unknown parameter --port'],
    [{ PORT: '80a' }, [], 'PORT is "80a", but has to be a whole number from 0 to 65535'],
    [{ ENVIRONMENT: 'prod' }, [], 'ENVIRONMENT is "prod", but has to be one of development, production'],
    [{ LEASE_SECONDS: '1' }, [], 'LEASE_SECONDS is "1"'],
    [{ SOURCE_netA_URL: 'ftp://x' }, [], 'SOURCE_netA_URL is "ftp://x"'],
    [{ DATA_DIR: '/dev/null/x' }, [], 'the folder /dev/null/x that DATA_DIR names cannot be used'],
    [{ DATA_DIR: import.meta.filename }, [], 'that DATA_DIR names cannot be used'],
    [{ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }, [], 'the database that DATABASE_URL names cannot be used'],
    [{ DATABASE_URL: 'db.example' }, [], 'DATABASE_URL has to be postgres://'],
    [{ HOST: 'nowhere.invalid' }, [], 'HOST nowhere.invalid is no address of this machine'],
    [{ HOST: '192.0.2.1' }, [], 'HOST 192.0.2.1 is no address of this machine'],
  ] as [Record<string, string>, string[], string][])('%j %j: one clear line, and 2', async (settings, given, line) => {
    const { said, ended } = launch({ DATA_DIR: ':memory:', ...settings }, ...given);
    expect((await ended)[0]).toBe(2);
    expect(said.error).toMatch(/^error: .*\n$/);
    expect(said.error).toContain(line);
    expect(said.out).toBe('');
  });
  it('a port in use is one clear line, and 2', async () => {
    const { port } = await start({ DATA_DIR: ':memory:' });
    const { said, ended } = launch({ DATA_DIR: ':memory:', PORT: String(port) });
    expect((await ended)[0]).toBe(2);
    expect(said.error).toContain(`port ${port} of 127.0.0.1 is in use`);
  });
});

describe('the address that is printed', () => {
  const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

  it.runIf(hasIPv6).each(['::1', '::'])('of HOST=%s can be asked as it is', async (HOST) => {
    const { base } = await start({ HOST, DATA_DIR: ':memory:' });
    expect((await fetch(`${base}/posts`)).status).toBe(401);
  });
  it('is PUBLIC_URL, whose final slash would make another path of it (GEN-13)', async () => {
    const { said } = await start({ PUBLIC_URL: 'http://api.example/', DATA_DIR: ':memory:' });
    expect(said.out).toContain("'http://api.example/api/v1/creators/netB/grace.hopper'");
  });
  it('a request may have less time than the head of one has by default', async () => {
    const { base } = await start({ REQUEST_TIMEOUT_SECONDS: '5', DATA_DIR: ':memory:' });
    expect((await fetch(`${base}/posts`)).status).toBe(401);
  });
  it('a name that is nearly a setting is warned of, those of networks too', async () => {
    const { said } = await start({ SOURCE_NETB_URL: 'http://collector.example', DATA_DIR: ':memory:' });
    expect(said.error).toBe('warning: SOURCE_NETB_URL is no setting; is SOURCE_netB_URL meant?\n');
  });
});

/** The curl lines as a shell would send them: URL and headers. */
function curlsOf(text: string): { url: string; headers: Record<string, string> }[] {
  return [...text.matchAll(/^ {2}curl -sS -H '([^:]+): ([^']+)' (?:-i )?'([^']+)'$/gm)].map(
    ([, name = '', value = '', url = '']) => ({ url, headers: { [name]: value } }),
  );
}

describe('the first start', () => {
  it('prints five lines that show held, fetching, batch, unavailable and analysis; later starts print no token', async () => {
    const DATA_DIR = await newFolder();
    const first = await start({ DATA_DIR });
    const answers = [];
    for (const { url, headers } of curlsOf(first.said.out)) {
      const answer = await fetch(url, { headers });
      answers.push({ status: answer.status, body: (await answer.json()) as never });
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 202, 200, 404, 200]);
    const [held, fetching, batch, unavailable, analysed] = answers.map(({ body }) => body as Record<string, any>);
    expect(held?.['data'].posts.length).toBeGreaterThan(0);
    expect(fetching?.['fetching'][0].id).toBe('grace.hopper');
    expect([batch?.['data'].length, batch?.['fetching'].length]).toEqual([1, 1]);
    expect(batch?.['unavailable']).toEqual([
      { id: 'missing.person', reason: 'account-not-discoverable' },
      { id: 'netZ:someone', reason: 'not-supported-on-network' },
    ]);
    expect(unavailable?.['error'].details.reason).toBe('unparseable-identifier');
    expect(Object.keys(analysed?.['data'].analysis)).toEqual(['transcript', 'brandSafety']);
    first.child.kill('SIGTERM');
    expect(await first.ended).toEqual([0, null]);
    const second = await start({ DATA_DIR });
    expect([curlsOf(second.said.out), second.said.out.includes('lk_')]).toEqual([[], false]);
    const { url, headers } = curlsOf(first.said.out)[0]!;
    expect((await fetch(url.replace(first.base, second.base), { headers })).status).toBe(200);
  }, 40_000);
  it.each([260, 300])('F12 a disk that is full after %i blocks is one clear line, and 2', async (blocks) => {
    const limited = ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', process.execPath, MAIN];
    const env = { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: await newFolder() };
    const child = spawn('sh', limited, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    left.push(child);
    let error = '';
    child.stderr.on('data', (chunk) => (error += String(chunk)));
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(error).toMatch(/^error: the folder .* cannot be used: disk I\/O error\n$/);
  });
  it('in production no token is ever made', async () => {
    const { said } = await start({ DATA_DIR: ':memory:', ENVIRONMENT: 'production' });
    expect(said.out).toMatch(/To issue a token: npm run admin/);
    expect(said.out).not.toContain('lk_');
  });
  it('in production each network that has no collector is warned of', async () => {
    const settings = { SOURCE_netA_URL: 'http://127.0.0.1:1', ENVIRONMENT: 'production' };
    const { said } = await start({ DATA_DIR: ':memory:', ...settings });
    expect(said.error).toBe('warning: without SOURCE_netB_URL the sandbox invents what is told of netB\n');
  });
});

describe('being stopped', () => {
  const tokenOf = ({ said }: Awaited<ReturnType<typeof start>>) => ({
    Authorization: `Bearer ${/lk_[\w-]+/.exec(said.out)?.[0]}`,
  });

  it('F6 SIGTERM at full load: readiness goes first, whatever was sent is answered, exit 0', async () => {
    const service = await start({ DATA_DIR: await newFolder(), DEFAULT_PER_MINUTE: '1000000' });
    const headers = tokenOf(service);
    const tally = { answered: 0, failed: [] as string[], afterNotice: 0 };
    let ready = true;
    const send = (agent: Agent, path: string) =>
      new Promise<string>((resolve) => {
        const sent = request({ agent, port: service.port, host: '127.0.0.1', path, headers }, (answer) => {
          answer.resume();
          answer.once('end', () => resolve(String(answer.statusCode)));
          answer.once('error', () => resolve('cut off'));
        });
        sent.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'failed'));
        sent.end();
      });
    async function client(number: number): Promise<void> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ids = Array.from({ length: 50 }, (_, index) => `load${number}x${index}`).join(',');
      for (let count = 0; ready; count += 1) {
        const outcome = await send(agent, count % 2 ? `/api/v1/creators?ids=${ids}` : '/api/v1/creators/netA/ada');
        if (outcome === '200') tally.answered += 1;
        else tally.failed.push(outcome);
      }
      agent.destroy();
    }
    /** What a balancer does: it gives no more requests to a process that is not ready. */
    async function watch(): Promise<void> {
      while ((await send(new Agent(), '/readyz')) === '200') await pause(20);
      ready = false;
      if ((await send(new Agent(), '/api/v1/creators/netA/ada')) === '200') tally.afterNotice += 1;
    }
    const load = [...Array.from({ length: 8 }, (_, number) => client(number)), watch()];
    await expect.poll(() => tally.answered, { timeout: 10_000 }).toBeGreaterThan(100);
    service.child.kill('SIGTERM');
    expect(await service.ended).toEqual([0, null]);
    await Promise.all(load);
    expect([tally.failed, tally.afterNotice]).toEqual([[], 1]);
  }, 40_000);

  it.each([
    ['SIGKILL', '2'],
    ['SIGTERM', '600'], // given back, not waited for
  ] as const)(
    'F5, F6, STA-06 %s in the middle of a discovery, leases of %s s: what was held is held, what was being fetched is fetched',
    async (signal, LEASE_SECONDS) => {
      const settings = { DATA_DIR: await newFolder(), LEASE_SECONDS, RENEW_SECONDS: '1', DRAIN_SECONDS: '1' };
      const first = await start(settings);
      const headers = tokenOf(first);
      const read = async (base: string, path: string) => {
        const answer = await fetch(base + path, { headers });
        return { status: answer.status, text: await answer.text() };
      };
      const held = await read(first.base, '/creators/netA/ada?include=posts');
      const slow = ['/creators/netA/slow.one', '/posts?url=https://netb.example/@a/video/slow1'];
      for (const path of slow) expect((await read(first.base, path)).status).toBe(202);
      await pause(500);
      first.child.kill(signal);
      await first.ended;
      const second = await start(settings);
      expect(await read(second.base, '/creators/netA/ada?include=posts')).toEqual(held);
      const statuses = () => Promise.all(slow.map(async (path) => (await read(second.base, path)).status));
      expect(await statuses()).toEqual([202, 202]);
      await expect.poll(statuses, { timeout: 25_000, interval: 1500 }).toEqual([200, 200]);
    },
    60_000,
  );
});
