import type { Problem } from '#client';

/** What to say to people where the text of the problem speaks of the document that programs get. */
const texts: Readonly<Record<string, string>> = {
  'urn:sigma:problem:invalid': 'Some values are not valid.',
  'urn:sigma:problem:operations-failed': 'Nothing was changed, because a part of the change cannot be made.',
  'urn:sigma:problem:refused-by-gateway': 'Nothing was changed, because a gateway cannot use it.',
};

const TOO_LARGE = /^\(expected: at most (\d+) bytes\)$/;

/** Returns a problem in words for people. */
export function problemText({ type, title, detail }: Problem): string {
  const bytes = TOO_LARGE.exec(detail ?? '')?.[1];
  if (bytes !== undefined) {
    return `At most ${Number(bytes).toLocaleString('en')} bytes can be sent.`;
  }
  const text = texts[type] ?? detail ?? title;
  return text.replace(
    /If only the gateway is at fault, PUT \S+ lets writes succeed\./,
    'If only the gateway is at fault, let writes succeed without it on the page Gateways.',
  );
}
