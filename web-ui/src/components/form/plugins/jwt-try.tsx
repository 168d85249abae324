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
import { rich, t } from '@/locales';

/** Says whether a gateway accepts a token, by what the form has now. The token stays in the browser. */
export function JwtTry({ draft }: { readonly draft: Draft }) {
  const [text, setText] = useState('');
  const token = tokenOf(text);
  return (
    <div role="group" aria-label={t('Try a token')}>
      <Textarea
        label={t('Try a token')}
        description={t('The browser checks the token on this page, and sends it nowhere.')}
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
      <div role="status" aria-label={t('The token at a gateway')}>
        {text.trim() !== '' &&
          (token === undefined ? (
            <Text size="sm" mt="xs">
              {t('This is not a signed token. It has three parts with dots between them.')}
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
  const all = [...refusals, ...(signature === 'wrong' ? [t('No key in this form fits its signature.')] : [])];
  return (
    <>
      <Text size="sm" mt="xs">
        {all.length > 0
          ? rich('{refused} with 401: {reasons}', { refused: <b>{t('Refused')}</b>, reasons: all.join(' ') })
          : signature === 'right'
            ? rich('{accepted} Its signature, algorithm and claims are right.', {
                accepted: <b>{t('Accepted.')}</b>,
              })
            : signature === 'unchecked'
              ? rich('{right} The signature is not checked here, because {reason}', {
                  right: <b>{t('The algorithm and claims are right.')}</b>,
                  reason: whyUnchecked(draft),
                })
              : t('Checking the signature…')}
      </Text>
      <Text size="sm">
        {consumer === undefined
          ? t('The token names no consumer.')
          : rich('The token names the consumer {consumer}.', { consumer: <Mono>{consumer}</Mono> })}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        {rich('Claims: {claims}', { claims: <Mono>{JSON.stringify(token.claims)}</Mono> })}
      </Text>
    </>
  );
}

function whyUnchecked(draft: Draft): string {
  if (textOf(draft.jwksUrl) !== '') {
    return t('gateways load the keys from the key set URL.');
  }
  return textOf(draft.secretPath) !== ''
    ? t('the secret is in a file of the gateways.')
    : t('the form has no key that could be used here.');
}
