/** The look and the behaviour of the HTML page. */

export const style = `
:root { color-scheme: light dark; --ground: #fff; --text: #1c2128; --quiet: #57606a; --line: #d0d7de; --block: #f6f8fa; --link: #0550ae;
  --failed: #b42318; --error: #b42318; --open: #8a5a00; --passed: #116329; --other: #57606a; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --text: #e6edf3; --quiet: #9aa4af; --line: #30363d; --block: #161b22; --link: #79b8ff;
  --failed: #ff8f85; --error: #ff8f85; --open: #e3b341; --passed: #6fdd8b; --other: #9aa4af; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; } h2 { margin-top: 2.5rem; font-size: 1.2rem; } h4 { margin: 0 0 .3rem; } h4 span { color: var(--quiet); font-weight: normal; }
.headline { font-size: 1rem; padding: .15rem .6rem; border: 2px solid; border-radius: 1rem; vertical-align: middle; white-space: nowrap; }
.code0 { color: var(--passed); } .code1 { color: var(--failed); } .code2, .code3 { color: var(--open); }
.facts { display: flex; flex-wrap: wrap; gap: 0 1.2rem; list-style: none; padding: 0; margin: .4rem 0; color: var(--quiet); font-size: .9rem; }
.problem, .hint { border-left: 4px solid var(--failed); padding-left: .8rem; } .hint { border-color: var(--open); }
nav { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem; padding: .8rem 0; background: var(--ground); border-bottom: 1px solid var(--line); }
input, button { font: inherit; color: inherit; background: var(--block); border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .7rem; }
input { flex: 1 1 16rem; min-width: 0; } button { cursor: pointer; font-size: .9rem; } button[aria-pressed=true] { background: var(--text); color: var(--ground); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.rule { border-bottom: 1px solid var(--line); } .rule[hidden] { display: none; }
.rule > summary { display: grid; grid-template-columns: 5.5rem 8rem 1fr; gap: .6rem; padding: .55rem .2rem; cursor: pointer; list-style: none; }
.rule > summary::-webkit-details-marker { display: none; } .rule > summary:hover { background: var(--block); }
.verdict { font-weight: 600; color: var(--other); } .verdict.failed, .verdict.error { color: var(--failed); } .verdict.passed { color: var(--passed); }
.verdict.not-exercised, .verdict.observed { color: var(--open); }
.inside { padding: 0 .2rem 1rem 6.1rem; } .inside p { margin: .3rem 0; } .ruling, .reason, .note, .looked { color: var(--quiet); font-size: .92rem; }
.finding { border-left: 4px solid var(--failed); margin: .8rem 0; padding-left: .9rem; }
dl { display: grid; grid-template-columns: 5rem 1fr; gap: .2rem .6rem; margin: 0 0 .5rem; } dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0 0 .5rem; padding: .6rem .8rem; max-height: 26rem; overflow: auto; background: var(--block); border: 1px solid var(--line); border-radius: .4rem; font: 13px/1.45 ui-monospace, monospace; }
code { font: .92em ui-monospace, monospace; } a { color: var(--link); }
.curl { position: relative; } .curl button { position: absolute; right: .4rem; top: .35rem; font-size: .8rem; } .curl pre { white-space: pre-wrap; overflow-wrap: anywhere; padding-right: 5rem; }
.exchange { margin: 1rem 0; scroll-margin-top: 5rem; } .exchange:target h4 { color: var(--link); }
@media (max-width: 40rem) { .rule > summary { grid-template-columns: 5.5rem 1fr; } .rule .text { grid-column: 1 / -1; } .inside { padding-left: .2rem; } }
`;

export const script = `
const rules = [...document.querySelectorAll('.rule')];
const buttons = [...document.querySelectorAll('.filter')];
const search = document.querySelector('#search');
const texts = new Map(rules.map((rule) => [rule, rule.textContent.toLowerCase()]));
const show = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const wanted = buttons.filter((button) => button.getAttribute('aria-pressed') === 'true').map((button) => button.dataset.filter);
  let shown = 0;
  for (const rule of rules) {
    const fits = words.every((word) => texts.get(rule).includes(word)) && (wanted.length === 0 || wanted.includes(rule.dataset.verdict));
    rule.hidden = !fits;
    if (fits) shown += 1;
  }
  document.querySelector('#none').hidden = shown > 0;
};
search.addEventListener('input', show);
for (const button of buttons) button.addEventListener('click', () => {
  button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
  show();
});
const reveal = () => {
  const named = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  if (!named) return;
  for (let at = named; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  named.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();
for (const button of document.querySelectorAll('.curl button')) button.addEventListener('click', async () => {
  try { await navigator.clipboard.writeText(button.nextElementSibling.textContent); button.textContent = 'copied'; }
  catch { getSelection().selectAllChildren(button.nextElementSibling); button.textContent = 'selected'; }
});
`;
