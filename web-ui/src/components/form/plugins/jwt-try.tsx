import { Text, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { textOf, type Draft } from '@/components/form/draft';
import {
  claimsAnswer,
  signatureAnswer,
  tokenOf,
  type SignatureAnswer,
  type Token,
} from '@/components/form/plugins/jwt-answer';
import { Mono } from '@/components/mono';

/** Says whether a gateway accepts a token, by what the form has now. The token stays in the browser. */
export function JwtTry({ draft }: { readonly draft: Draft }) {
  const [text, setText] = useState('');
  const token = tokenOf(text);
  return (
    <div role="group" aria-label="Try a token">
      <Textarea
        label="Try a token"
        description="The browser checks it on this page, and sends it nowhere."
        placeholder="eyJhbGciOi…"
        value={text}
        autosize
        minRows={2}
        maxRows={6}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div role="status" aria-label="What a gateway says to the token">
        {text.trim() !== '' &&
          (token === undefined ? (
            <Text size="sm" mt="xs">
              This is not a signed token. It has three parts with dots between them.
            </Text>
          ) : (
            <Verdict draft={draft} token={token} text={text} />
          ))}
      </div>
    </div>
  );
}

interface VerdictProps {
  readonly draft: Draft;
  readonly token: Token;
  readonly text: string;
}

function Verdict({ draft, token, text }: VerdictProps) {
  const [answer, setAnswer] = useState<{ readonly of: string; readonly signature: SignatureAnswer }>();
  const [now] = useState(() => Date.now());
  // What the signature depends on: another token, or other keys.
  const of = JSON.stringify([text, draft.secret, draft.jwks, draft.jwksUrl]);
  useEffect(() => {
    let left = false;
    void signatureAnswer(draft, token).then((signature) => {
      if (!left) {
        setAnswer({ of, signature });
      }
    });
    return () => {
      left = true;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `of` stands for what is used of draft and token
  }, [of]);
  const signature = answer?.of === of ? answer.signature : undefined;
  const { refusals, consumer } = claimsAnswer(draft, token, now);
  const all = [...refusals, ...(signature === 'wrong' ? ['No key of this form made its signature.'] : [])];
  return (
    <>
      <Text size="sm" mt="xs">
        {all.length > 0 ? (
          <>
            <b>Refused</b> with 401: {all.join(' ')}
          </>
        ) : signature === 'right' ? (
          <>
            <b>Accepted.</b> Its signature, algorithm and claims are right.
          </>
        ) : signature === 'unchecked' ? (
          <>
            <b>Its algorithm and claims are right.</b> The signature is not checked here, because{' '}
            {whyUnchecked(draft)}
          </>
        ) : (
          'Checking the signature…'
        )}
      </Text>
      <Text size="sm">
        {consumer === undefined ? (
          'It names no consumer.'
        ) : (
          <>
            It names the consumer <Mono>{consumer}</Mono>.
          </>
        )}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        Claims: <Mono>{JSON.stringify(token.claims)}</Mono>
      </Text>
    </>
  );
}

function whyUnchecked(draft: Draft): string {
  if (textOf(draft.jwksUrl) !== '') {
    return 'gateways load the keys from the key set URL.';
  }
  return textOf(draft.secretPath) !== ''
    ? 'its secret is in a file of the gateways.'
    : 'the form has no key that could be used here.';
}
