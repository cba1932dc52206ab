/** Use this where code makes its own clients of AWS: it points them at a server on loopback. */

/**
 * @param address of whatever stands in for all of AWS
 * @param region of clients that are given none
 * @returns what sets the environment of the process back
 */
export function reachAwsAt(address: string, region?: string): () => void {
  const environment = process.env;
  process.env = {
    ...environment,
    AWS_ENDPOINT_URL: address,
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    ...(region !== undefined && { AWS_REGION: region }),
  };
  return () => {
    process.env = environment;
  };
}
