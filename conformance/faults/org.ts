/** Faults against ORG: acting for another organization. */
import type { AlterableRequest } from '../model.ts';
import { admit, failure, given, isBatch, refuse, table, type Table } from './edit.ts';

const org = (q: AlterableRequest): unknown => given(q, 'asOrg');
const profile = (q: AlterableRequest): unknown => given(q, 'asProfile');

export const organization: Table = ({ organizations, profiles }) => {
  const slugs = Object.entries(organizations)
    .filter(([name]) => name !== 'id')
    .map(([, slug]) => slug);
  const unknownOrg = (q: AlterableRequest): boolean =>
    typeof org(q) === 'string' && !slugs.includes(String(org(q))) && !String(org(q)).startsWith('org_');
  const unknownProfile = (q: AlterableRequest): boolean =>
    profile(q) !== undefined && profile(q) !== profiles.own && profile(q) !== profiles.foreign;
  return table('ORG', [
    [
      'a member is refused',
      'ORG-01',
      (r, q) => void (org(q) !== undefined && org(q) === organizations.member && refuse(r, 403)),
    ],
    [
      'a member is not found',
      'ORG-01',
      (r, q) => void (org(q) !== undefined && org(q) === organizations.member && refuse(r, 404)),
    ],
    [
      'a delegated role does not count',
      'ORG-02',
      (r, q) => void (org(q) !== undefined && org(q) === organizations.delegated && refuse(r, 403)),
    ],
    [
      'no role is needed',
      'ORG-03',
      (r, q) => void (r.status === 403 && org(q) === organizations.withoutRole && admit(r, q)),
    ],
    [
      'no role is not found',
      'ORG-03',
      (r, q) => void (r.status === 403 && org(q) === organizations.withoutRole && refuse(r, 404)),
    ],
    [
      'an unknown slug is told apart',
      'ORG-03',
      (r, q) => void (r.status === 403 && unknownOrg(q) && refuse(r, 404)),
      'ruling',
    ],
    [
      'the message tells an unknown slug apart',
      'ORG-03',
      (r, q) => void (unknownOrg(q) && failure(r, (error) => (error.message = 'There is no such organization.'))),
      'ruling',
    ],
    [
      'an id is forbidden',
      'ORG-04',
      (r, q) => void (r.status === 404 && /^org_./.test(String(org(q))) && refuse(r, 403)),
    ],
    [
      'an id is as good as a slug',
      'ORG-04',
      (r, q) => void (r.status === 404 && /^org_./.test(String(org(q))) && admit(r, q)),
    ],
    [
      'the id is not echoed',
      'ORG-04',
      (r, q) =>
        void (
          r.status === 404 &&
          /^org_./.test(String(org(q))) &&
          failure(r, (error) => (error.message = 'Not found.'))
        ),
    ],
    [
      'the own organization is refused',
      'ORG-05',
      (r, q) => void (org(q) !== undefined && org(q) === organizations.own && refuse(r, 403)),
      'ruling',
    ],
    [
      'an own profile is not found',
      'ORG-06',
      (r, q) => void (profile(q) !== undefined && profile(q) === profiles.own && refuse(r, 404)),
    ],
    [
      'an own profile is forbidden',
      'ORG-06',
      (r, q) => void (profile(q) !== undefined && profile(q) === profiles.own && refuse(r, 403)),
    ],
    ['an unknown profile is ignored', 'ORG-07', (r, q) => void (r.status === 404 && unknownProfile(q) && admit(r, q))],
    [
      'a profile of others is forbidden',
      'ORG-07',
      (r, q) =>
        void (r.status === 404 && profile(q) !== undefined && profile(q) === profiles.foreign && refuse(r, 403)),
    ],
    [
      'a profile of others has a message of its own',
      'ORG-07',
      (r, q) =>
        void (
          profile(q) !== undefined &&
          profile(q) === profiles.foreign &&
          failure(r, (error) => (error.message = 'That profile is not yours.'))
        ),
    ],
    [
      'a body has no asOrg',
      'ORG-08',
      (r, q) => void (q.method === 'POST' && r.status === 403 && org(q) !== undefined && admit(r, q)),
    ],
    [
      'the ids form has no asOrg',
      'ORG-08',
      (r, q) =>
        void (q.operation === 'getPosts' && isBatch(q) && r.status >= 403 && org(q) !== undefined && admit(r, q)),
    ],
    [
      'a body has no asProfile',
      'ORG-08',
      (r, q) => void (q.method === 'POST' && r.status === 404 && profile(q) !== undefined && admit(r, q)),
    ],
    [
      'slugs of organizations compare without case',
      'ORG-09',
      (r, q) =>
        void (org(q) !== organizations.own && String(org(q)).toLowerCase() === organizations.own && refuse(r, 404)),
      'ruling',
    ],
    [
      'slugs of profiles compare without case',
      'ORG-09',
      (r, q) => void (profile(q) !== profiles.own && String(profile(q)).toLowerCase() === profiles.own && admit(r, q)),
      'ruling',
    ],
    ['an empty network is refused', 'ORG-09', (r, q) => void (given(q, 'network') === '' && refuse(r, 400)), 'ruling'],
  ]);
};
