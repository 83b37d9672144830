/** What the samples are made of: who the bot is, where it speaks, and what it says. */
export type FirstSteps = {
  server: string
  apiKey: string
  apiSecret: string
  topicId: string
  greeting: string
  answer: string
}

/**
 * A signed message that runs as it stands in any shell with openssl. Seconds and three zeros, since macOS has no
 * `date +%N`; the body in single quotes and in one variable, so that what is signed is what is sent.
 */
export const curlSample = ({ server, apiKey, apiSecret, topicId, greeting }: FirstSteps): string =>
  `body='${JSON.stringify({ topicId, text: greeting }).replaceAll("'", "'\\''")}'
timestamp=$(date +%s)000
signature=$(printf '%s' "$timestamp.$body" | openssl dgst -sha256 -hmac '${apiSecret}' | sed 's/^.* //')
curl -sS -w '\\n' '${server}/v2/messages' \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -H "X-Timestamp: $timestamp" \\
  -H "X-Signature: $signature" \\
  -d "$body"`

/**
 * TypeScript that is also JavaScript: the types follow from the defaults. It answers what is no answer itself, so that it
 * hears its own greeting but never talks to itself. The event's id in the idempotency key makes a restart repeat nothing.
 */
export const typescriptSample = ({ server, apiKey, apiSecret, answer }: FirstSteps): string =>
  `import { createHmac } from 'node:crypto'

async function parley(path = '', body = '', once = '') {
  const time = String(Date.now())
  const signature = createHmac('sha256', '${apiSecret}').update(\`\${time}.\${body || path}\`).digest('hex')
  const headers = { Authorization: 'Bearer ${apiKey}', 'X-Timestamp': time, 'X-Signature': signature }
  const more = { 'Content-Type': 'application/json', 'Idempotency-Key': \`node-\${once}\` }
  const post = { method: 'POST', body, headers: { ...headers, ...more } }
  return (await fetch('${server}' + path, body ? post : { headers })).json()
}

for (let offset = ''; ; ) {
  const { updates, nextOffset } = await parley(\`/v2/updates?timeout=30\${offset}\`)
  for (const { updateId, eventType, data } of updates) {
    if (eventType !== 'message.created' || data.message.parentId) continue
    const { id: parentId, topicId, text } = data.message
    await parley('/v2/messages', JSON.stringify({ topicId, parentId, text: \`${answer} \${text}\` }), updateId)
  }
  offset = \`&offset=\${nextOffset}\`
}`

export const pythonSample = ({ server, apiKey, apiSecret, answer }: FirstSteps): string =>
  `import hashlib, hmac, json, time, urllib.request

def parley(path, body=None, once=""):
    raw, now = json.dumps(body) if body else "", str(int(time.time() * 1000))
    signature = hmac.new(b"${apiSecret}", f"{now}.{raw or path}".encode(), hashlib.sha256).hexdigest()
    headers = {"Authorization": "Bearer ${apiKey}", "X-Timestamp": now, "X-Signature": signature}
    if body: headers |= {"Content-Type": "application/json", "Idempotency-Key": "python-" + once}
    request = urllib.request.Request("${server}" + path, raw.encode() or None, headers)
    return json.load(urllib.request.urlopen(request))

offset = ""
while True:
    page = parley("/v2/updates?timeout=30" + offset)
    for update in page["updates"]:
        message = update["data"].get("message", {})
        if update["eventType"] == "message.created" and "parentId" not in message:
            answer = {"topicId": message["topicId"], "parentId": message["id"], "text": f"${answer} {message['text']}"}
            parley("/v2/messages", answer, update["updateId"])
    offset = "&offset=" + page["nextOffset"]`
