import { expect, test } from 'vitest';
import { certificateFacts, pemBlocks, publicKeyOfPrivate } from '@/lib/x509';

const root = `-----BEGIN CERTIFICATE-----
MIIBqDCCAU+gAwIBAgIUYf8awobxEYPxI1qSHRTVzi1qVA4wCgYIKoZIzj0EAwIw
KTEQMA4GA1UECgwHRXhhbXBsZTEVMBMGA1UEAwwMRXhhbXBsZSBSb290MCAXDTI2
MTEyNjA5MjE1NloYDzIxMjYxMTAyMDkyMTU2WjApMRAwDgYDVQQKDAdFeGFtcGxl
MRUwEwYDVQQDDAxFeGFtcGxlIFJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AATnJQCpD/sM083ksCr1b9aOEtz+XnYIDEIoVl8RI1tKDyd5Jeji4mfiPdMZAUp9
kokpO358ZvJ7DNmUjk8m+o+Do1MwUTAdBgNVHQ4EFgQUtP7eLwvOICmkPKVs0iWW
y/PylSkwHwYDVR0jBBgwFoAUtP7eLwvOICmkPKVs0iWWy/PylSkwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBDqx3m9q2dPCkDjGmIPgKdDZKpIhSo
GLPhqDusqq/7+QIgbwcHCrpLqN/p836YskBtc08B3+GslyccMmOY1ww6iwk=
-----END CERTIFICATE-----
`;

const leaf = `-----BEGIN CERTIFICATE-----
MIIBwTCCAWegAwIBAgIUWWlnwUzXnNK8NrQgaEMWM1f77tkwCgYIKoZIzj0EAwIw
KTEQMA4GA1UECgwHRXhhbXBsZTEVMBMGA1UEAwwMRXhhbXBsZSBSb290MCAXDTI2
MTEyNjA5MjE1NloYDzIwNTEwNzE4MDkyMTU2WjAbMRkwFwYDVQQDDBBzaG9wLmV4
YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEuyyoSuQRSGKVJUbR
3ef5OZ1TPGNRkuP1fzjXINTMnTmtNPMI7uVCKb2FRfZdeNj9r2s4XtpOFmhyvfhx
PLi0daN5MHcwNQYDVR0RBC4wLIIQc2hvcC5leGFtcGxlLmNvbYISKi5zaG9wLmV4
YW1wbGUuY29thwQKAAAHMB0GA1UdDgQWBBT5tAs4TEZIsF14X37aD/sEMolfGDAf
BgNVHSMEGDAWgBS0/t4vC84gKaQ8pWzSJZbL8/KVKTAKBggqhkjOPQQDAgNIADBF
AiBAQ+LA+tdQwjpy9uM/c38LCtNMHvWv1MZacNJ5HQVwoQIhAN1a6zIzfLSOp9Pt
ANzE1cOXUeabkot8WJLNqoWTIEhi
-----END CERTIFICATE-----
`;

const leafKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEL7GH9aBQt265ST0
M8st8/jbr9niDYkrowCgSCl7HBehRANCAAS7LKhK5BFIYpUlRtHd5/k5nVM8Y1GS
4/V/ONcg1MydOa008wju5UIpvYVF9l142P2vazhe2k4WaHK9+HE8uLR1
-----END PRIVATE KEY-----
`;

const leafKeySec1 = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIBC+xh/WgULduuUk9DPLLfP426/Z4g2JK6MAoEgpexwXoAoGCCqGSM49
AwEHoUQDQgAEuyyoSuQRSGKVJUbR3ef5OZ1TPGNRkuP1fzjXINTMnTmtNPMI7uVC
Kb2FRfZdeNj9r2s4XtpOFmhyvfhxPLi0dQ==
-----END EC PRIVATE KEY-----
`;

const rsa = `-----BEGIN CERTIFICATE-----
MIICEjCCAXugAwIBAgIUFE5boKVxcIZ9FkAVymEScLN2gPgwDQYJKoZIhvcNAQEL
BQAwGjEYMBYGA1UEAwwPb2xkLmV4YW1wbGUuY29tMCAXDTI2MTEyNjA5MjE1N1oY
DzIxMjYxMTAyMDkyMTU3WjAaMRgwFgYDVQQDDA9vbGQuZXhhbXBsZS5jb20wgZ8w
DQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAMH+iQQEwePu9BT/ZIpVZw3WOmQBzXrg
G4cOaZnfedJmiStkMfzQSD0lwNWGj9tT/pQ2PbtasTbq5vPMHl9uihJW3qotW5qR
ieH92L/EKiY4nssMspih500QBGfnKHDiYDJ/lCfkTQgCHfqwd7AUN19DOozBNlAd
Ms9+UMG7E/MtAgMBAAGjUzBRMB0GA1UdDgQWBBSD7HJhX5DMFJQZl7dTjsIvz0do
WDAfBgNVHSMEGDAWgBSD7HJhX5DMFJQZl7dTjsIvz0doWDAPBgNVHRMBAf8EBTAD
AQH/MA0GCSqGSIb3DQEBCwUAA4GBABGQzbvDeNQ9b/nO2CT6NLSIPxtVxaoqgV73
8jG87QJenUC5i4h/rypt6v2TpuanfZQITfrMjzOUH9KOXvos5sNJpAp1S/btOSMZ
C2gi4/tXrjMDd9bI0vq8aw67uQ7WlSsR1itCQgGkUeWOjOv0Vta4b8Lo4gRHRZaj
Fox0dp9E
-----END CERTIFICATE-----
`;

const rsaKey = `-----BEGIN PRIVATE KEY-----
MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAMH+iQQEwePu9BT/
ZIpVZw3WOmQBzXrgG4cOaZnfedJmiStkMfzQSD0lwNWGj9tT/pQ2PbtasTbq5vPM
Hl9uihJW3qotW5qRieH92L/EKiY4nssMspih500QBGfnKHDiYDJ/lCfkTQgCHfqw
d7AUN19DOozBNlAdMs9+UMG7E/MtAgMBAAECgYEAgzkVH6XELdWWP5nePYC1e/Oc
fceGYga0ODA0mIRFWGBJixN0iMmvA8XE4erq5nazrzfdnB0l4LsWzHUXWoBgXgfd
2DMAAtvuXAHlI4liPAzocTj7o9++oPwN0o4xHWhVNgZ1amiFnz0Syk3IwBX+KdCd
6WcTqpwYCWH1JKx9BrUCQQDja9LSwIVRgPQwCU5mqIdc+cio8YnxS+E0rbgo4Zii
kY2tu255Ms5xK4YOkwM9KZ3I4KN7etO8otkQECsyEMkPAkEA2l9c1oNfa9XD3Exd
g7On+bjrfYiKc65ClK4Va0XEZKKKQgBDw6EIItzxSFmOgET+BYYmwZDEITWwavI0
LpToAwJAe2lLoqpurmf4Gwkxzmut6TpzNZq9bH/s2hVbVnP1zGKIK7sGnCaB+M/R
k58bptkqkpO0o5FnzXnhqOHdTvHk6QJAYQGF40EezW97f0xpKk1PrE5qRiy2nGbn
6tZea3XlpXLTCjjF4YySabJOeP5XoEGFunx6kPg3OC16fjez2JGLcwJBAI/hXdhq
ODAY32pDqGn8CDWRHcLPIlP3vvyCG+zGqDuT/qIprlyovQ+7yxKBMlgGot/jJNSL
mCTlR97hNZkTGVs=
-----END PRIVATE KEY-----
`;

const rsaKeyPkcs1 = `-----BEGIN RSA PRIVATE KEY-----
MIICXQIBAAKBgQDB/okEBMHj7vQU/2SKVWcN1jpkAc164BuHDmmZ33nSZokrZDH8
0Eg9JcDVho/bU/6UNj27WrE26ubzzB5fbooSVt6qLVuakYnh/di/xComOJ7LDLKY
oedNEARn5yhw4mAyf5Qn5E0IAh36sHewFDdfQzqMwTZQHTLPflDBuxPzLQIDAQAB
AoGBAIM5FR+lxC3Vlj+Z3j2AtXvznH3HhmIGtDgwNJiERVhgSYsTdIjJrwPFxOHq
6uZ2s6833ZwdJeC7Fsx1F1qAYF4H3dgzAALb7lwB5SOJYjwM6HE4+6PfvqD8DdKO
MR1oVTYGdWpohZ89EspNyMAV/inQnelnE6qcGAlh9SSsfQa1AkEA42vS0sCFUYD0
MAlOZqiHXPnIqPGJ8UvhNK24KOGYopGNrbtueTLOcSuGDpMDPSmdyOCje3rTvKLZ
EBArMhDJDwJBANpfXNaDX2vVw9xMXYOzp/m4632IinOuQpSuFWtFxGSiikIAQ8Oh
CCLc8UhZjoBE/gWGJsGQxCE1sGryNC6U6AMCQHtpS6Kqbq5n+BsJMc5rrek6czWa
vWx/7NoVW1Zz9cxiiCu7BpwmgfjP0ZOfG6bZKpKTtKORZ8154ajh3U7x5OkCQGEB
heNBHs1ve39MaSpNT6xOakYstpxm5+rWXmt15aVy0wo4xeGMkmmyTnj+V6BBhbp8
epD4Nzgten43s9iRi3MCQQCP4V3YajgwGN9qQ6hp/Ag1kR3CzyJT9778ghvsxqg7
k/6iKa5cqL0Pu8sSgTJYBqLf4yTUi5gk5Ufe4TWZExlb
-----END RSA PRIVATE KEY-----
`;

function only(pem: string) {
  const [block] = pemBlocks(pem);
  if (block === undefined) {
    throw new Error('no PEM');
  }
  return block;
}

function factsOf(pem: string) {
  return certificateFacts(only(pem).bytes);
}

test('a certificate says its names, its issuer and how long it is valid', () => {
  expect(factsOf(leaf)).toMatchObject({
    names: ['shop.example.com', '*.shop.example.com', '10.0.0.7'],
    issuer: 'Example Root',
    to: new Date('2051-07-18T09:21:56.000Z'),
  });
});

test('an old certificate without alternative names has its common name, and may end after 2049', () => {
  expect(factsOf(rsa)?.names).toEqual(['old.example.com']);
  expect(factsOf(rsa)?.to.getUTCFullYear()).toBeGreaterThan(2100);
});

test('the issuer of a certificate is the subject of the next', () => {
  expect(factsOf(leaf)?.issuerBytes).toBe(factsOf(root)?.subjectBytes);
  expect(factsOf(leaf)?.issuerBytes).not.toBe(factsOf(rsa)?.subjectBytes);
});

test.each([
  ['PKCS #8 of a curve', leafKey, leaf],
  ['SEC 1', leafKeySec1, leaf],
  ['PKCS #8 of RSA', rsaKey, rsa],
  ['PKCS #1', rsaKeyPkcs1, rsa],
])('a key in %s fits its certificate alone', (_, key, certificate) => {
  const own = publicKeyOfPrivate(only(key));
  expect(own).toBeDefined();
  expect(own).toBe(factsOf(certificate)?.publicKey);
  expect(own).not.toBe(factsOf(root)?.publicKey);
});

test('blocks are found among other text, in their order', () => {
  expect(pemBlocks(`subject=x\n${leaf}\nissuer=y\n${root}${leafKey}`).map(({ label }) => label)).toEqual([
    'CERTIFICATE',
    'CERTIFICATE',
    'PRIVATE KEY',
  ]);
  expect(pemBlocks('-----BEGIN CERTIFICATE-----\nnot base64!\n-----END CERTIFICATE-----')).toEqual([]);
});

test('bytes that are no certificate have no facts', () => {
  expect(certificateFacts(new Uint8Array([0x30, 0x82, 0xff, 0xff]))).toBeUndefined();
  expect(certificateFacts(only(leaf).bytes.subarray(0, 100))).toBeUndefined();
  expect(certificateFacts(new Uint8Array())).toBeUndefined();
});
