import { streamEvents } from '../../contract/events.ts'
import { stream } from '../http/binding.ts'
import { refusalResponse } from './mount.ts'
import { streamHeaders } from '../events/event-stream.ts'

export const eventRoutes = [
  stream(streamEvents, async ({ environment, caller }, { method, lastEventId, live }) => {
    // Nobody would read or end the stream of a HEAD request.
    if (method === 'HEAD') return new Response(null, { headers: streamHeaders })
    const body = await live.feedOf(environment).open(caller.token_hash, lastEventId)
    return body
      ? new Response(body, { headers: streamHeaders })
      : refusalResponse({ status: 503, message: 'Le serveur s’arrête.', retryAfter: 2 })
  }),
]
