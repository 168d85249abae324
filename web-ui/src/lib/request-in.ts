import type { RouteTestWish } from '@/lib/api/test-route';

/** Options of curl that a value follows, besides those that say something of the request. */
const WITH_VALUE =
  /^(-[uoAbceTFmwx]|--(user|output|user-agent|cookie|referer|form|max-time|write-out|proxy|cacert|cert|key|resolve|connect-to))$/;
const BODY = /^(-d|--data(-raw|-binary|-ascii|-urlencode)?|--json)$/;

/** Returns the request that a text is about: a curl command, a URL, or a host with a path; undefined when it is none. */
export function requestIn(text: string): RouteTestWish | undefined {
  const typed = text.trim();
  if (/^curl\s/.test(typed)) {
    return requestOfCurl(words(typed).slice(1));
  }
  if (/^https?:\/\/[^\s/]+\S*$/i.test(typed)) {
    return { url: typed };
  }
  const [, host, target] = /^([^\s/:]+\.[^\s/:]+(?::\d+)?)(\/\S*)$/.exec(typed) ?? [];
  return host === undefined || target === undefined ? undefined : { url: target, host };
}

/** Splits a command as a shell does, at least what curl commands that are copied from somewhere have. */
function words(command: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let i = 0; i < command.length; i++) {
    const c = command.charAt(i);
    if (quote === undefined && /\s/.test(c)) {
      if (word !== undefined) {
        found.push(word);
      }
      word = undefined;
    } else if (quote === undefined && (c === '"' || c === "'")) {
      quote = c;
      word ??= '';
    } else if (c === quote) {
      quote = undefined;
    } else if (c === '\\' && quote !== "'") {
      i++;
      // A backslash at the end of a line joins it with the next.
      word = command.charAt(i) === '\n' ? word : (word ?? '') + command.charAt(i);
    } else {
      word = (word ?? '') + c;
    }
  }
  return word === undefined ? found : [...found, word];
}

const SHORT_WITH_VALUE = /[XHduoAbceTFmwx]/;

/** Takes `-sXPOST` apart into `-s`, `-X` and `POST`. */
function apart(word: string): readonly string[] {
  if (!/^-[A-Za-z]./.test(word)) {
    return [word];
  }
  const letters = word.slice(1);
  const at = letters.search(SHORT_WITH_VALUE);
  const flags = Array.from(at < 0 ? letters : letters.slice(0, at + 1), (letter) => `-${letter}`);
  const value = at < 0 ? '' : letters.slice(at + 1);
  return value === '' ? flags : [...flags, value];
}

/** Whether the word after this one is its value, whatever it begins with. */
function takesNext(word: string | undefined): boolean {
  return word !== undefined && /^(-[A-Za-z]*[XHduoAbceTFmwx]|--(request|header|url))$/.test(word);
}

/** Returns the address of a request as people say it: with the host that its head names. */
export function addressOf({ url = '', host }: RouteTestWish): string {
  return host === undefined
    ? url
    : url.replace(/^(https?:\/\/)[^/?#]*|^/i, (_, scheme: string | undefined) => (scheme ?? '') + host);
}

function requestOfCurl(words: readonly string[]): RouteTestWish | undefined {
  const rest = words.flatMap((word, i) => (takesNext(words[i - 1]) ? [word] : apart(word)));
  const headers: string[] = [];
  let url: string | undefined;
  let host: string | undefined;
  let method: string | undefined;
  let body = false;
  let asQuery = false;
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? '';
    const value = rest[i + 1] ?? '';
    if (word === '-X' || word === '--request') {
      method = value;
      i++;
    } else if (word === '-I' || word === '--head') {
      method ??= 'HEAD';
    } else if (word === '-H' || word === '--header') {
      if (/^host:/i.test(value)) {
        host = value.slice('host:'.length).trim();
      } else {
        headers.push(value);
      }
      i++;
    } else if (word === '-G' || word === '--get') {
      asQuery = true;
    } else if (word === '--url') {
      url = value;
      i++;
    } else if (BODY.test(word) || WITH_VALUE.test(word)) {
      body ||= BODY.test(word);
      i++;
    } else if (!word.startsWith('-')) {
      url ??= word;
    }
  }
  if (url === undefined) {
    return undefined;
  }
  return {
    url: /^https?:\/\//i.test(url) ? url : `http://${url}`,
    method: method ?? (body && !asQuery ? 'POST' : undefined),
    host,
    headers: headers.length === 0 ? undefined : headers.join('\n'),
  };
}
