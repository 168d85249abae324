import { Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ProxyServer } from '#client';
import { PemField } from '@/components/form/pem-input';
import { covers, type CertificateChoice } from '@/features/expose/expose-plan';
import type { ExposeField } from '@/features/expose/field-errors';
import { certificates } from '@/features/expose/use-existing';
import { testRoute } from '@/lib/api/test-route';
import { t } from '@/locales';

const TYPING_PAUSE_MILLIS = 300;
const PRESENTED = ' presented';
const NEW = ' new';

/** What a person chose and pasted; nothing chosen is what fits best. */
export interface CertificateDraft {
  readonly chosen?: string;
  readonly chain?: string;
  readonly privateKey?: string;
}

/** Returns the certificate that is meant. */
export function useCertificateChoice(
  { chosen, chain = '', privateKey = '' }: CertificateDraft,
  asked: { readonly https: boolean; readonly host: string; readonly proxyServer: ProxyServer | undefined },
): CertificateChoice {
  const names = usePresentedNames(asked);
  const fits = names !== undefined && (asked.host === '' || covers(names, asked.host));
  const meant = chosen ?? (fits ? PRESENTED : NEW);
  if (meant === PRESENTED && asked.proxyServer !== undefined) {
    return { how: 'presented' };
  }
  return meant === NEW || meant === PRESENTED
    ? { how: 'new', chain, privateKey }
    : { how: 'existing', id: meant };
}

/** Returns the names in the certificate that a gateway would present for the host. */
function usePresentedNames({
  https,
  host,
  proxyServer,
}: {
  readonly https: boolean;
  readonly host: string;
  readonly proxyServer: ProxyServer | undefined;
}): readonly string[] | undefined {
  const [paused] = useDebouncedValue(host, TYPING_PAUSE_MILLIS);
  const wish = {
    url: `https://${paused === '' ? 'localhost' : paused.replace(/^\*\./, 'www.')}/`,
    proxyServerId: proxyServer?.id,
  };
  const { data } = useQuery({
    ...testRoute(wish),
    enabled: https && proxyServer !== undefined,
    retry: false,
  });
  return data?.certificateHosts;
}

interface CertificateFieldsProps {
  readonly draft: CertificateDraft;
  readonly choice: CertificateChoice;
  readonly proxyServer: ProxyServer | undefined;
  readonly errors: ReadonlyMap<ExposeField, string>;
  readonly onChange: (draft: CertificateDraft) => void;
}

/** Which certificate clients see: that of the proxy server, one that there is, or one that is pasted. */
export function CertificateFields({ draft, choice, proxyServer, errors, onChange }: CertificateFieldsProps) {
  const known = useQuery(certificates).data?.items ?? [];
  const value = choice.how === 'existing' ? choice.id : choice.how === 'presented' ? PRESENTED : NEW;
  return (
    <Stack gap="sm">
      <Select
        label={t('Certificate')}
        data={[
          ...(proxyServer === undefined
            ? []
            : [
                {
                  value: PRESENTED,
                  label: t('The certificate that {id} presents for the host', { id: proxyServer.id ?? '' }),
                },
              ]),
          ...known.map(({ id = '', name }) => ({
            value: id,
            label: name === undefined || name === id ? id : `${id}, ${name}`,
          })),
          { value: NEW, label: t('Paste a new one') },
        ]}
        value={value}
        onChange={(chosen) => onChange({ ...draft, chosen: chosen ?? undefined })}
        allowDeselect={false}
      />
      {choice.how === 'new' && (
        <Group grow align="start" preventGrowOverflow={false}>
          <PemField
            part="chain"
            label={t('Certificate chain')}
            required
            chain={choice.chain}
            privateKey={choice.privateKey}
            error={errors.get('chain')}
            onChange={(texts) => onChange({ ...draft, ...texts })}
          />
          <PemField
            part="privateKey"
            label={t('Private key')}
            required
            chain={choice.chain}
            privateKey={choice.privateKey}
            error={errors.get('privateKey')}
            onChange={(texts) => onChange({ ...draft, ...texts })}
          />
        </Group>
      )}
      {choice.how === 'presented' && (
        <Text size="xs" c="dimmed">
          {t('A gateway says that it presents a certificate for this host.')}
        </Text>
      )}
    </Stack>
  );
}
