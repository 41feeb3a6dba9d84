/** Text put into markup. Control characters that XML 1.0 has no place for become U+FFFD. */
// eslint-disable-next-line no-control-regex
const illegal =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escape = (text: string): string =>
  text.replace(illegal, '\ufffd').replace(/[&<>"']/g, (character) => named[character] ?? character);

/** Code spans of a rule's sentence. */
export const withCode = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
