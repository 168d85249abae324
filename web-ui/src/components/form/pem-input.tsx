import { Button, FileButton, Group, List, Text, Textarea, type TextareaProps } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useState, type DragEvent, type ReactNode } from 'react';
import { textOf } from '@/components/form/draft';
import { useFormState } from '@/components/form/form-context';
import classes from '@/components/form/pem-input.module.css';
import { daysLeft } from '@/lib/days-left';
import { certificateFacts, pemBlocks, publicKeyOfPrivate, type CertificateFacts } from '@/lib/x509';
import { number, t } from '@/locales';

const FILE_BYTES_MAX = 128 * 1024;

type PemPart = 'chain' | 'privateKey';
type Look = Pick<TextareaProps, 'label' | 'description' | 'error' | 'withAsterisk' | 'required'>;

/** A field of the form of a certificate. */
export function PemInput({ part, ...look }: Look & { readonly part: PemPart }) {
  const { draft, change, readOnly } = useFormState();
  return (
    <PemField
      {...look}
      part={part}
      chain={textOf(draft.chain)}
      privateKey={textOf(draft.privateKey)}
      readOnly={readOnly}
      onChange={(texts) =>
        Object.entries(texts).forEach(([key, text]) => change([key], text === '' ? undefined : text))
      }
    />
  );
}

interface PemFieldProps extends Look {
  readonly part: PemPart;
  readonly chain: string;
  readonly privateKey: string;
  readonly readOnly?: boolean;
  /** A file may have both. */
  readonly onChange: (texts: Partial<Record<PemPart, string>>) => void;
}

/** Takes PEM by paste or as files, puts certificates and key where they belong, and says what is in them. */
export function PemField({ part, chain, privateKey, readOnly = false, onChange, ...look }: PemFieldProps) {
  const value = part === 'chain' ? chain : privateKey;
  const [trouble, setTrouble] = useState<string>();
  const [over, setOver] = useState(false);

  const take = async (files: readonly File[]) => {
    const large = files.find(({ size }) => size > FILE_BYTES_MAX);
    if (large !== undefined) {
      setTrouble(
        t('{name} has {size} bytes: this is not a certificate.', {
          name: large.name,
          size: number(large.size),
        }),
      );
      return;
    }
    const blocks = (await Promise.all(files.map((file) => file.text()))).flatMap(pemBlocks);
    const certificates = blocks.filter(({ label }) => label === 'CERTIFICATE');
    const keys = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY'));
    if (certificates.length + keys.length === 0) {
      setTrouble(
        t('There is no PEM in this file. To convert it: {command}, or {other}.', {
          command: 'openssl x509 -inform der -in file.cer',
          other: 'openssl pkcs12 -nodes -in file.p12',
        }),
      );
      return;
    }
    setTrouble(undefined);
    const [key] = keys;
    onChange({
      ...(certificates.length > 0 && { chain: certificates.map(({ text }) => text).join('') }),
      ...(key !== undefined && { privateKey: key.text }),
    });
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(Array.from(event.dataTransfer.files));
  };

  return (
    <div
      role="presentation"
      className={classes.area}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!readOnly);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={readOnly ? undefined : drop}
    >
      <Textarea
        {...look}
        value={value}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.text }}
        onChange={(event) => onChange({ [part]: event.currentTarget.value })}
      />
      {!readOnly && (
        <Group gap="xs" mt={6}>
          <FileButton multiple accept=".pem,.crt,.cer,.key,.txt" onChange={(files) => void take(files)}>
            {(button) => (
              <Button
                {...button}
                size="compact-sm"
                variant="default"
                leftSection={<IconFileUpload size={14} aria-hidden />}
                aria-label={t(part === 'chain' ? 'Choose files of the chain' : 'Choose files of the key')}
              >
                {t('Choose files')}
              </Button>
            )}
          </FileButton>
          <Text size="xs" c="dimmed">
            {t('or drop them here. One file may contain chain and key.')}
          </Text>
        </Group>
      )}
      {trouble !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mt={4}>
          {trouble}
        </Text>
      )}
      <div role="status">
        {part === 'chain' ? <Chain text={value} /> : <Key chain={chain} text={value} />}
      </div>
    </div>
  );
}

/** What each certificate says, and whether it signed the one before. */
function Chain({ text }: { readonly text: string }) {
  const blocks = pemBlocks(text).filter(({ label }) => label === 'CERTIFICATE');
  if (text.trim() === '') {
    return null;
  }
  if (blocks.length === 0) {
    return (
      <Bad>
        {t('This is not PEM. It begins with {begin} and ends with {end}.', {
          begin: '-----BEGIN CERTIFICATE-----',
          end: '-----END CERTIFICATE-----',
        })}
      </Bad>
    );
  }
  const facts = blocks.map(({ bytes }) => certificateFacts(bytes));
  return (
    <List size="sm" mt={6}>
      {facts.map((one, index) => (
        <List.Item key={index}>
          {one === undefined ? (
            <Bad>{t('Certificate {number} cannot be read.', { number: index + 1 })}</Bad>
          ) : (
            <>
              {t('{names}, issued by {issuer}, {time}', {
                names: one.names.join(', ') || t('no name'),
                issuer: one.issuer,
                time: daysLeft(one.to).text,
              })}
              <OutOfOrder before={facts[index - 1]} one={one} index={index} />
            </>
          )}
        </List.Item>
      ))}
    </List>
  );
}

interface OutOfOrderProps {
  readonly before: CertificateFacts | undefined;
  readonly one: CertificateFacts;
  readonly index: number;
}

function OutOfOrder({ before, one, index }: OutOfOrderProps) {
  return (
    before !== undefined &&
    before.issuerBytes !== one.subjectBytes && (
      <Bad>
        {t(
          'This certificate did not sign certificate {number}, which was issued by {issuer}. The certificate of the server comes first. Each further certificate signed the one before it.',
          { number: index, issuer: before.issuer },
        )}
      </Bad>
    )
  );
}

function Key({ chain, text }: { readonly chain: string; readonly text: string }) {
  if (text.trim() === '') {
    return null;
  }
  const [key] = pemBlocks(text);
  if (!key?.label.endsWith('PRIVATE KEY')) {
    return (
      <Bad>
        {t('This is not a private key in PEM. It begins with {begin}.', {
          begin: '-----BEGIN PRIVATE KEY-----',
        })}
      </Bad>
    );
  }
  if (key.label.startsWith('ENCRYPTED') || key.text.includes('ENCRYPTED')) {
    return (
      <Bad>
        {t('This key has a password. To remove it: {command}', {
          command: 'openssl pkey -in key.pem -out plain.pem',
        })}
      </Bad>
    );
  }
  const [certificate] = pemBlocks(chain).filter(({ label }) => label === 'CERTIFICATE');
  const facts = certificate && certificateFacts(certificate.bytes);
  const own = publicKeyOfPrivate(key);
  if (facts === undefined || own === undefined) {
    return null;
  }
  const name = facts.names[0] ?? t('the first certificate');
  return own === facts.publicKey ? (
    <Text size="sm" mt={4}>
      {t('This is the key of {name}.', { name })}
    </Text>
  ) : (
    <Bad>{t('This is the key of another certificate, not of {name} in the chain.', { name })}</Bad>
  );
}

function Bad({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="var(--mantine-color-error)" mt={4}>
      {children}
    </Text>
  );
}
