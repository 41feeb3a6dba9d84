/** 100 identifiers by POST in every spelling that names the same creator or post, and in those that name none (phase 3). */
import {
  beginning,
  decorated,
  foreignPadding,
  lengths,
  on,
  otherNames,
  padding,
  spellings,
  swapCase,
  unreadable,
} from './identifiers.ts';
import { json, present, query, type Planner } from './planner.ts';
import type { Fixtures } from './fixtures.ts';

export function planCreatorSpellings(planner: Planner, { a, unsupported, unique, target }: Fixtures): void {
  const profile = a.profileUrl(a.held);
  const held = present(planner.strict ? spellings(a) : [on(a.name, a.held)]);
  const unparseable = planner.strict
    ? present([
        ...unreadable(a.name),
        a.postUrl(a.post.held),
        beginning(profile, 'https://user@'),
        profile?.replace(/^(https?:\/\/[^/]+)/, '$1:8443'),
        beginning(profile, 'https://not'),
        profile?.replace(/^(https?:\/\/[^/]+)/, '$1.invalid'),
        lengths(unsupported).tooLong,
      ])
    : [];
  const foreign = planner.strict
    ? [`${a.name.toUpperCase()}:someone`, '  padded  ', `${unsupported}:twice`, ...lengths(unsupported).fit]
    : [];
  const special = [
    ...held,
    ...unparseable,
    ...foreign,
    `${unsupported}:one,two`,
    ...(planner.strict ? [`${unsupported}:twice`] : []),
  ];
  const identifiers = [...special, ...padding(100 - special.length, unique)];
  const ids = planner.strict ? ['', '   ', ...identifiers, '\t'] : identifiers;
  planner.add({
    step: 'creators-hundred',
    phase: 3,
    operation: 'batchCreators',
    path: '/api/v1/creators/batch',
    ...json({
      ids,
      network: unsupported,
      asOrg: target.organizations.delegated,
      ...(planner.strict ? { asProfile: target.profiles.own } : {}),
      creatorDeepAnalysis: false,
      ...(planner.strict ? { nonsense: { a: 1 }, include: 'posts' } : {}),
    }),
    contentType: 'application/json; charset=utf-8',
    identifiers,
    facts: { held, unparseable, foreign, network: unsupported },
    purpose: '100 identifiers by POST, most of them bare under a network that is not supported',
    rules: ['IDS-05', 'IDS-06', 'IDS-02', 'IDS-09', 'IDS-10', 'IDS-11', 'IDS-13', 'ORG-08', 'GEN-06'],
  });
}

/** 100 names of that length are more than 100 kB, at which many a parser of bodies gives up unless told otherwise. */
const longName = 1200;

export function planPostSpellings(planner: Planner, fixtures: Fixtures): void {
  const { a, b, unsupported, target } = fixtures;
  const { held } = a.post;
  const sameA = present(
    planner.strict
      ? [a.postUrl(held), decorated(a.postUrl(held)), a.reelUrl(held), `${a.name}:${held}`, on(a.name, a.post.heldId)]
      : [a.postUrl(held)],
  );
  const sameB = present(
    planner.strict
      ? [b.postUrl(b.post.held), b.postUrl(b.post.held)?.replace(/@[^/]+/, '@somebody.else'), b.post.held]
      : [b.post.held],
  );
  const again = otherNames([
    [a.postUrl(held), a.postUrl(held)],
    [b.postUrl(b.post.held), b.post.held],
  ]);
  const unparseable = planner.strict ? present([a.profileUrl(a.held), b.profileUrl(b.held)]) : [];
  const formless = planner.strict ? present([beginning(a.postUrl(held), 'ftp://')]) : [];
  const swapped = held === undefined ? '' : swapCase(held);
  const other = planner.strict && swapped !== held ? [`${a.name}:${swapped}`] : [];
  const special = [...sameA, ...other, ...sameB, ...unparseable, ...formless, `${unsupported}:1234`];
  const fill = foreignPadding(100 - special.length, fixtures);
  const identifiers = [...special, ...(planner.strict ? fill.map((id) => id.padEnd(longName, 'x')) : fill)];
  planner.add({
    step: 'posts-spellings',
    phase: 3,
    operation: 'batchPosts',
    path: `/api/v1/posts/batch${planner.strict ? query({ include: 'transcript', ids: '', network: unsupported }) : ''}`,
    needs: { 'held post on netA': held, 'held post on netB': b.post.held },
    ...json({
      ids: identifiers,
      network: b.name,
      asOrg: target.organizations.member,
      ...(planner.strict ? { asProfile: target.profiles.own } : {}),
      creatorDeepAnalysis: false,
      ...(planner.strict ? { include: 'transcript' } : {}),
    }),
    identifiers,
    facts: { sameA, sameB, other, unparseable, formless, network: b.name, before: again.before, again: again.names },
    purpose: '100 posts in every spelling, by POST',
    rules: ['IDS-05', 'IDS-08', 'IDS-12', 'PST-06', 'ORG-01', 'ORG-08', 'GEN-06', 'CRB-08'],
  });
}
