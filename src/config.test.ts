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
    expect(misspelt({ DATA_DIRS: 'x', CACHE_BITES: '1', PATH: '/', DATA_DIR: 'x' })).toEqual([
      { given: 'DATA_DIRS', meant: 'DATA_DIR' },
      { given: 'CACHE_BITES', meant: 'CACHE_BYTES' },
    ]);
  });
  it('are all in --help', () => {
    for (const name of Object.keys(SETTINGS)) expect(describeSettings()).toContain(name);
  });
});
