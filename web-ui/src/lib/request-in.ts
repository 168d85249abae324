import type { RouteTestWish } from '@/lib/api/test-route';

/** Options of curl that a value follows, besides those that say something of the request. */
const WITH_VALUE =
  /^(-[uoAbceTFmwx]|--(user|output|user-agent|cookie|referer|form|max-time|write-out|proxy|cacert|cert|key|resolve|connect-to))$/;
const BODY = /^(-d|--data(-raw|-binary|-ascii|-urlencode)?|--json)$/;

/** A prompt may stand before it. */
const CURL = /^(?:[$#>]\s+)?curl(?:\.exe)?\s/;

export function isCurl(text: string): boolean {
  return CURL.test(text.trim());
}

/**
 * Returns the request that a text is about: a curl command, a URL, a host with a path, the head of a request, or a line
 * of an access log; undefined when it is none.
 */
export function requestIn(text: string): RouteTestWish | undefined {
  const typed = bare(text);
  if (CURL.test(typed)) {
    return requestOfCurl(words(typed.replace(CURL, '')));
  }
  return addressIn(typed) ?? recordIn(typed) ?? lineIn(typed);
}

/** Returns the request that a text is about, be it a path alone. */
export function requestOrPathIn(text: string): RouteTestWish | undefined {
  const typed = bare(text);
  return requestIn(typed) ?? (/^\/(?!\/)\S*$/.test(typed) ? { url: typed } : undefined);
}

/** Without what a text may stand in where it was copied. */
function bare(text: string): string {
  const typed = text.trim();
  const ended = /^\S+[,;.]+$/.test(typed) ? typed.replace(/[,;.]+$/, '') : typed;
  return /^(["'`]).*\1$|^<.*>$|^\(.*\)$/s.test(ended) ? ended.slice(1, -1).trim() : ended;
}

/** A password of the address is not for the address of a page. */
function withoutUser(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1');
}

function addressIn(typed: string): RouteTestWish | undefined {
  if (/^(https?|wss?):\/\/[^\s/]+\S*$/i.test(typed)) {
    // A WebSocket begins as a request.
    return { url: withoutUser(typed.replace(/^ws/i, 'http')) };
  }
  const [, host, target] =
    /^(?:\/\/)?([^\s/:]+\.[^\s/:]+(?::\d+)?|localhost|[\w-]+:\d+|\[[\da-f:.]+\](?::\d+)?)(\/\S*)$/i.exec(
      typed,
    ) ?? [];
  return host === undefined || target === undefined ? undefined : { url: target, host };
}

/** Reads a record of the access log of Sigma. */
function recordIn(typed: string): RouteTestWish | undefined {
  if (!typed.startsWith('{')) {
    return undefined;
  }
  try {
    const record = JSON.parse(typed) as Readonly<Record<string, unknown>>;
    const said = (name: string) => (typeof record[name] === 'string' ? record[name] : undefined);
    const url = said('path');
    return url?.startsWith('/') === true
      ? { url, host: said('host'), method: methodOf(said('method')), proxyServerId: said('proxyServer') }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Reads `GET /path HTTP/1.1`, also in a line of a log and before the fields of a head. */
function lineIn(typed: string): RouteTestWish | undefined {
  const [, method, target = ''] =
    /(?:^|")([A-Z]{3,10}) ((?:\w+:\/)?\/?[^\s"]+)(?: HTTP\/[\d.]+)?(?:$|"|\s*\n)/.exec(typed) ?? [];
  const asked = addressIn(target) ?? (target.startsWith('/') ? { url: target } : undefined);
  const host = /^host:[ \t]*(\S+)/im.exec(typed)?.[1];
  return method === undefined || asked === undefined
    ? undefined
    : { ...asked, ...(host === undefined ? {} : { host }), method: methodOf(method) };
}

function methodOf(method: string | undefined): string | undefined {
  return method === 'GET' ? undefined : method;
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

/** Whether the word after this one is its value, regardless of how it begins. */
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
    url: withoutUser(/^https?:\/\//i.test(url) ? url : `http://${url}`),
    method: method ?? (body && !asQuery ? 'POST' : undefined),
    host,
    headers: headers.length === 0 ? undefined : headers.join('\n'),
  };
}
