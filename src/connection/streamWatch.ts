/** Whether a server can tell us anything unasked: it cannot where its GET stream is refused, and not before it is open. */
export type PushState = 'open' | 'waiting' | 'none';

/**
 * A `fetch` that notices what becomes of the GET stream of Streamable HTTP (specification: basic/transports, listening
 * for messages from the server), which the SDK keeps to itself.
 */
export function watchingFetch(onChange: (state: PushState) => void): typeof fetch {
  return async (input, init) => {
    if ((init?.method ?? 'GET').toUpperCase() !== 'GET') {
      return fetch(input, init);
    }
    onChange('waiting');
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      onChange('none');
      throw error;
    }
    if (!response.ok || !response.body) {
      onChange('none');
      return response;
    }
    onChange('open');
    const { status, statusText, headers } = response;
    return new Response(
      untilItEnds(response.body, () => onChange('none')),
      { status, statusText, headers },
    );
  };
}

/** The same stream, and the moment of its end. */
function untilItEnds(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          onEnd();
          controller.close();
        } else {
          controller.enqueue(value);
        }
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}
