/** Yield the lines of a response as they arrive. Throws if the connection breaks. */
export async function* lines(response: Response): AsyncGenerator<string, void, undefined> {
  if (!response.body) {
    return;
  }
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      const parts = (rest + value).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
    if (rest) {
      yield rest;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
