/** What clients post: a batch, and a model's question for tools. */

/** Expects an image for each slot of a batch, and a list of tools. */
export async function batchAndToolsAnswer(url: string, key: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
  const images = ['a', 'b'].map((slot) => ({ slot, query: 'forest', width: 240, height: 160 }));
  const image = expect.objectContaining({ url: expect.any(String) });
  expect(await post('/api/images', { images })).toMatchObject({ images: { a: image, b: image } });
  const { result } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(result.tools.length).toBeGreaterThan(0);
}
