/** A scripted CloudFormation DescribeStacks on loopback, of the account 123456789012. */

import { type Loopback, listenOnLoopback } from '../fakes/loopback';

/** A stack by its outputs, or an error. */
export type ScriptedStack =
  | Readonly<Record<string, string>>
  | { readonly status: number; readonly code: string; readonly message: string };

export interface ScriptedCloudFormation extends Loopback {
  /** Action and region of each question. */
  readonly asked: readonly string[];
}

/** @param stacks by name, evaluated for every request */
export async function startCloudFormation(
  stacks: () => Readonly<Record<string, ScriptedStack>>,
): Promise<ScriptedCloudFormation> {
  const asked: string[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const region = /Credential=[^/]+\/\d+\/([\w-]+)/.exec(request.headers.authorization ?? '')?.[1];
    asked.push(`${body.get('Action')} ${region}`);
    const name = body.get('StackName') ?? '';
    const stack = stacks()[name] ?? missing(name);
    response.setHeader('Content-Type', 'text/xml');
    if (isError(stack)) response.writeHead(stack.status).end(errorXml(stack));
    else response.end(stackXml(stack));
  });
  return { ...server, asked };
}

type ScriptedError = Extract<ScriptedStack, { readonly status: number }>;

const isError = (stack: ScriptedStack): stack is ScriptedError => typeof stack['status'] === 'number';

function missing(name: string): ScriptedError {
  return { status: 400, code: 'ValidationError', message: `Stack with id ${name} does not exist` };
}

function errorXml({ code, message }: ScriptedError): string {
  return `<?xml version="1.0"?><ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
}

function stackXml(values: Readonly<Record<string, string>>): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const members = Object.entries(values).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  return `<?xml version="1.0"?><DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackId>arn:aws:cloudformation:eu-west-3:123456789012:stack/s/1</StackId><StackName>s</StackName><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}
