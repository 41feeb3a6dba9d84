/** One page that needs nothing else: no address outside it is asked for, which its own policy (CSP) makes sure of. */
import { createHash } from 'node:crypto';
import type { Exchange, RawHeader, Report, RuleResult } from '../model.ts';
import { escape, withCode } from './escape.ts';
import { counts, findingsOf, headline, inOrder, verdictOf, type Finding } from './order.ts';
import { script, style } from './page.ts';

const shownBody = 6_000;

const slug = (text: string): string => text.replaceAll(' ', '-');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

const pretty = ({ json, body }: { json?: unknown; body: string | null }): string => {
  const text = json === undefined ? (body ?? '') : JSON.stringify(json, null, 2);
  return text.length > shownBody ? `${text.slice(0, shownBody)}\n… ${text.length - shownBody} more characters` : text;
};

const headerLines = (headers: readonly RawHeader[]): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n');

const exchangeBlock = ({ id, purpose, request, response, sentAt, receivedAt }: Exchange): string => `
<article class="exchange" id="${escape(id)}">
  <h4>${escape(id)} <span>${escape(purpose)}</span></h4>
  <pre tabindex="0">${escape(`${request.method} ${request.path}\n${headerLines(request.headers)}${request.body === null ? '' : `\n\n${request.body.slice(0, shownBody)}`}`)}</pre>
  <pre tabindex="0">${escape(`${response.status} after ${Math.round(receivedAt - sentAt)} ms\n${headerLines(response.headers)}\n\n${pretty(response)}`)}</pre>
</article>`;

const links = (ids: readonly string[], known: ReadonlySet<string>): string =>
  ids.map((id) => (known.has(id) ? `<a href="#${escape(id)}">${escape(id)}</a>` : escape(id))).join(' ');

const findingBlock = ({ first: finding, exchanges }: Finding, known: ReadonlySet<string>): string => `
<div class="finding">
  <dl>
    <dt>expected</dt><dd>${withCode(finding.expected)}</dd>
    <dt>seen</dt><dd>${withCode(finding.seen)}</dd>
    <dt>at</dt><dd><code>${escape(finding.pointer || 'the response')}</code> of ${links(exchanges, known)}${finding.level === 'ruling' ? ' <em>(a ruling)</em>' : ''}</dd>
  </dl>
  ${finding.curl ? `<div class="curl"><button type="button">copy</button><pre tabindex="0">${escape(finding.curl)}</pre></div>` : ''}
</div>`;

/** Of a rule that is wholly a ruling the text says it already. */
const rulingLine = ({ ruling, text }: RuleResult): string =>
  ruling === null
    ? ''
    : `<p class="ruling"><b>Ruling</b> ${ruling === text ? 'all of this rule is one of ours' : withCode(ruling)}</p>`;

const body = (result: RuleResult, known: ReadonlySet<string>): string =>
  [
    rulingLine(result),
    result.reason ? `<p class="reason">${withCode(result.reason)}</p>` : '',
    ...findingsOf(result).map((finding) => findingBlock(finding, known)),
    ...result.notes.map((note) => `<p class="note">${withCode(note)}</p>`),
    result.exchanges.length > 0 ? `<p class="looked">looked at ${links(result.exchanges, known)}</p>` : '',
  ].join('');

const ruleBlock = (result: RuleResult, known: ReadonlySet<string>): string => {
  const verdict = verdictOf(result);
  const open = verdict === 'failed' || verdict === 'error' ? ' open' : '';
  return `
<details class="rule" data-verdict="${slug(verdict)}" data-section="${escape(result.section)}" id="rule-${escape(result.id)}"${open}>
  <summary><b>${escape(result.id)}</b><span class="verdict ${slug(verdict)}">${verdict}</span><span class="text">${withCode(result.text)}</span></summary>
  <div class="inside">${body(result, known)}</div>
</details>`;
};

const filters = (report: Report): string =>
  counts(report)
    .filter(([, number]) => number > 0)
    .map(
      ([name, number]) =>
        `<button type="button" class="filter ${slug(name)}" data-filter="${slug(name)}" aria-pressed="false"><b>${number}</b> ${name}</button>`,
    )
    .join('\n');

const known = (report: Report): string =>
  report.knownFailures.length === 0
    ? ''
    : `<ul class="known">${report.knownFailures.map((one) => `<li><b>${escape(one.id)}</b> known failure, ${one.state}, until ${escape(one.expires)}: ${escape(one.reason)} <span>${escape(one.link)}</span></li>`).join('')}</ul>`;

const facts = (report: Report): string =>
  [
    `contract ${report.contractVersion}`,
    `profile ${report.profile}${report.strict ? ', strict' : ''}`,
    `${report.requests.sent} requests (at most ${report.requests.plannedAtMost} planned)`,
    report.startedAt,
    report.target.baseUrl,
  ]
    .map((fact) => `<li>${escape(fact)}</li>`)
    .join('');

const policy = (): string =>
  `default-src 'none'; style-src 'sha256-${sha256(style)}'; script-src 'sha256-${sha256(script)}'; base-uri 'none'; form-action 'none'`;

const exchangesSection = (report: Report): string => `
<section id="exchanges" aria-label="exchanges">
  <h2>Exchanges</h2>
  <details id="all-exchanges"><summary>${report.exchanges.length} requests and their answers</summary>${report.exchanges.map(exchangeBlock).join('')}</details>
</section>`;

export function html(report: Report): string {
  const ids = new Set(report.exchanges.map(({ id }) => id));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Conformance of ${escape(report.target.name)}: ${headline(report)}</title>
<style>${style}</style>
</head>
<body>
<header>
  <h1>${escape(report.target.name)} <span class="headline code${report.exitCode}">${headline(report)}</span></h1>
  <ul class="facts">${facts(report)}</ul>
  ${report.problem ? `<p class="problem">${escape(report.problem)}</p>` : ''}${report.hints.map((hint) => `<p class="hint">${escape(hint)}</p>`).join('')}${known(report)}
</header>
<nav aria-label="filter">
  <input type="search" id="search" placeholder="Search rules: number, words, pointer" aria-label="Search rules">
  ${filters(report)}
</nav>
<main>
<p id="none" hidden>No rule matches.</p>
${inOrder(report.results)
  .map((result) => ruleBlock(result, ids))
  .join('')}
</main>
${exchangesSection(report)}
<script>${script}</script>
</body>
</html>
`;
}
