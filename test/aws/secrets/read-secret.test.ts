/** Reading secrets over HTTP from the local Secrets Manager. */

import { createReadSecret } from '../../../lambda/aws/secrets/read-secret';
import { createLocalAws } from '../../../local/aws';
import { reachAwsAt } from '../../fakes/aws-environment';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';

describe('reading a secret', () => {
  let loopback: Loopback;
  let requests = 0;
  let nowMs = 0;
  let readMs = 0;
  const secrets = new Map<string, string>();
  let leaveAws: () => void;

  beforeAll(async () => {
    const { answer } = createLocalAws({
      secret: (id) => {
        nowMs += readMs;
        return secrets.get(id);
      },
      onFailure: () => undefined,
    });
    loopback = await listenOnLoopback((request, response) => {
      requests += 1;
      return answer(request, response);
    });
    leaveAws = reachAwsAt(loopback.address, 'us-east-1');
  });
  afterAll(async () => {
    leaveAws();
    await loopback.stop();
  });

  it('reads once for all requests within five minutes, then again', async () => {
    secrets.set('signing', 'one');
    const readSecret = createReadSecret({ nowMs: () => nowMs });
    expect(await Promise.all([readSecret('signing'), readSecret('signing')])).toEqual(['one', 'one']);
    secrets.set('signing', 'two');
    nowMs = 299_999;
    expect(await readSecret('signing')).toBe('one');
    expect(requests).toBe(1);
    nowMs = 300_000;
    expect(await readSecret('signing')).toBe('two');
  });

  it('keeps it from the moment it was asked for, as it may have been replaced since', async () => {
    readMs = 1_000;
    const readSecret = createReadSecret({ nowMs: () => nowMs });
    const askedMs = nowMs;
    await readSecret('signing');
    const before = requests;
    nowMs = askedMs + 300_000;
    await readSecret('signing');
    expect(requests).toBe(before + 1);
    readMs = 0;
  });

  it('remembers no failure', async () => {
    const readSecret = createReadSecret({ nowMs: () => nowMs });
    await expect(readSecret('late')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    secrets.set('late', 'here');
    expect(await readSecret('late')).toBe('here');
  });
});
