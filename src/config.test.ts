import { describe, expect, it } from 'vitest';
import { describeSettings, misspelt, readConfig, SETTINGS, WrongSetting } from './config.ts';

describe('settings', () => {
  it('have defaults within their own bounds', () => {
    for (const [name, value] of Object.entries(readConfig({}))) {
      if (name.startsWith('SOURCE')) continue;
      expect(readConfig({ [name]: String(value) })).toEqual(readConfig({}));
    }
  });
  it.each([
    [{ PORT: 'x' }, 'PORT'],
    [{ PORT: '70000' }, '0 to 65535'],
    [{ PORT: '-1' }, 'PORT'],
    [{ PORT: '1e3' }, 'PORT'],
    [{ ENVIRONMENT: 'prod' }, 'development, production'],
    [{ SOURCE_netA_URL: 'neta.example' }, 'SOURCE_netA_URL'],
  ])('a wrong one is named: %j', (environment, text) => {
    expect(() => readConfig(environment)).toThrow(WrongSetting);
    expect(() => readConfig(environment)).toThrow(text);
  });
  it('a collector has its URL and its token, which is not repeated when it is wrong', () => {
    const config = readConfig({ SOURCE_netA_URL: 'http://collector.example', SOURCE_netA_TOKEN: 'secret' });
    expect([config.SOURCES, config.SOURCE_TOKENS]).toEqual([{ netA: 'http://collector.example' }, { netA: 'secret' }]);
    const wrong = () => readConfig({ SOURCE_netA_TOKEN: 'two words' });
    expect(wrong).toThrow('SOURCE_netA_TOKEN');
    expect(wrong).not.toThrow('two words');
  });
  it('misspelt ones are noticed', () => {
    const given = { DATA_DIRS: 'x', CACHE_BITES: '1', cache_bytes: '1', PATH: '/', DATA_DIR: 'x' };
    expect(misspelt([], given)).toEqual([
      { given: 'DATA_DIRS', meant: 'DATA_DIR' },
      { given: 'CACHE_BITES', meant: 'CACHE_BYTES' },
      { given: 'cache_bytes', meant: 'CACHE_BYTES' },
    ]);
  });
  it('a collector of a network that there is not is noticed: the sandbox would be asked in its place', () => {
    const given = { SOURCE_NETB_URL: 'http://collector.example', SOURCE_netA_URL: 'x', SOURCE_VERSION: '1' };
    expect(misspelt(['netA', 'netB'], given)).toEqual([{ given: 'SOURCE_NETB_URL', meant: 'SOURCE_netB_URL' }]);
  });
  it.each(['https://app.example/', 'https://App.example', 'https://app.example:443', 'app.example', '*', 'null'])(
    'GEN-13 an origin as no browser sends it is refused, not passed over: %s',
    (origin) => expect(() => readConfig({ CORS_ORIGINS: `https://a.example,${origin}` })).toThrow('CORS_ORIGINS'),
  );
  it('GEN-13 origins of pages, of extensions and of apps are taken', () => {
    const CORS_ORIGINS = 'https://a.example, http://[::1]:3000,chrome-extension://abc,';
    expect(readConfig({ CORS_ORIGINS }).CORS_ORIGINS).toBe(CORS_ORIGINS);
  });
  it.each([
    [{ PUBLIC_URL: 'api.example' }],
    [{ ENRICHMENT_URL: 'localhost:8000/v1' }],
    [{ SOURCE_netA_URL: 'http://user:secret@collector.example' }], // no fetch takes it
    [{ SOURCE_netA_URL: 'http://collector.example?key=1' }],
  ] as Record<string, string>[][])('what cannot be an address to ask is refused: %j', (environment) => {
    expect(() => readConfig(environment)).toThrow('has to be an http or https URL');
  });
  it.each([
    { DATABASE_URL: 'mysql://root:secret@db.example/lookup' },
    { DATABASE_URL: 'postgres://lookup:s#secret@db.example/lookup' },
    { ENRICHMENT_KEY: 'secret\n' },
    { SOURCE_netB_URL: 'http://user:secret@collector.example' },
  ])('a wrong one with a secret in it is not repeated: %#', (environment) => {
    const [name = ''] = Object.keys(environment);
    expect(() => readConfig(environment)).toThrow(name);
    expect(() => readConfig(environment)).not.toThrow('secret');
  });
  it('are all in --help', () => {
    for (const name of Object.keys(SETTINGS)) expect(describeSettings()).toContain(name);
  });
});
