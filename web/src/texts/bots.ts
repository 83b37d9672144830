import type { Scope } from '../../../contract/scopes.ts'
import { plural, texts } from './texts.ts'

export const bots = texts({
  en: {
    title: 'Bots',
    about: 'Programs that take part in topics like people do: they read, write and react.',
    newBot: 'New bot',
    empty: {
      title: 'No bots yet',
      text: 'A bot is a program with a name and a place in your topics. It reads what is written there, and it can answer, create tasks or start polls. You write it in any language; Parley gives it its credentials.',
    },
    columns: {
      name: 'Name',
      credential: 'Credentials',
      rights: 'Permissions',
      delivery: 'Events',
      state: 'State',
      created: 'Created',
    },
    states: {
      active: 'Active',
      off: 'Switched off',
      failing: 'Webhook failing',
      paused: 'Webhook paused',
    },
    credentials: { static: 'API key', oauth: 'OAuth 2' },
    permissions: { read: 'Read', write: 'Read and write' },
    scopeCount: (count: number, all: number) =>
      count === all
        ? 'Every scope'
        : count === 0
          ? 'No scope'
          : plural.en(count, { one: '1 scope', other: `${count} scopes` }),
    deliveries: { polling: 'Polling', webhook: 'Webhook' },
    name: { label: 'Name', hint: 'Others see it beside everything the bot writes.' },
    credential: {
      legend: 'How it proves who it is',
      static: 'API key and signature',
      staticHint: 'A key and a secret that signs each request. The least to set up; right for most bots.',
      oauth: 'OAuth 2 client credentials',
      oauthHint:
        'It exchanges an id and a secret for tokens that expire after a while. Right when it should be allowed little, or when a proxy changes its requests.',
    },
    permission: {
      legend: 'What it may do',
      write: 'Read and write',
      writeHint: 'Everything that the API offers, in the topics it is in.',
      read: 'Read only',
      readHint: 'It sees what happens in its topics and changes nothing, except marking messages as read.',
    },
    scopes: {
      legend: 'What it may do',
      hint: 'Take away what it does not need; you can change this later.',
      all: 'Select all scopes',
      none: 'Select no scope',
      nothing: 'Without any scope the bot can do nothing at all.',
      groups: {
        topics: 'Topics',
        messages: 'Messages',
        work: 'Tasks and polls',
        people: 'People',
        events: 'Events',
        storage: 'Its own storage',
      },
    },
    scopeTexts: {
      'channel:list': 'See the list of the topics it is in',
      'channel:read': 'Look at a topic and at the labels of the organization',
      'channel:write': 'Create and rename topics, add and remove members, set labels',
      'message:read': 'Read messages and their files',
      'message:send': 'Send messages and files',
      'message:write': 'Edit and delete its own messages, mark messages as delivered and read',
      'reaction:write': 'React to messages and take its reactions back',
      'task:read': 'Read tasks',
      'task:write': 'Create, change and delete tasks',
      'poll:write': 'Start polls, vote and take votes back',
      'member:read': 'See who is in the organization and in its units',
      'member:write': 'Add members to units and remove them',
      'updates:read': 'Receive events by polling; a webhook does not need it',
      'storage:read': 'Read what it keeps for itself; no other bot can',
      'storage:write': 'Write and delete what it keeps for itself',
    } satisfies Record<Scope, string>,
    delivery: {
      legend: 'How it hears of what happens',
      polling: 'It asks (long polling)',
      pollingHint:
        'The bot keeps a request open and Parley answers when something happens. Works from anywhere, also behind a firewall.',
      webhook: 'It is told (webhook)',
      webhookHint:
        'Parley calls an address of yours for each event, signs it, and tries again when it fails.',
      url: 'Webhook address',
      urlHint:
        'Events are sent there by POST. Any answer from 200 to 299 within 10 seconds counts as received.',
      urlRequired: 'Please give the address that is to be called.',
      gzip: 'Compress large bodies',
      gzipHint: 'From 16 KiB on, with gzip. Signatures are made before compression.',
      rate: 'Deliveries a second while catching up',
      rateHint: 'How fast missed events are sent after a pause or a replay.',
      rateMistake: 'Please give a whole number from 1 to 1000.',
    },
    topics: {
      legend: 'Topics',
      hint: 'A bot gets every message of the topics that it is in, and of no other.',
    },
    votes: { label: 'Send events about votes', hint: 'When somebody votes in a poll or takes a vote back.' },
    create: {
      title: 'New bot',
      about: 'It is ready at once. Everything except the kind of credentials can be changed later.',
      button: 'Create bot',
      nameRequired: 'Please give the bot a name.',
      done: (name: string) => `${name} is ready`,
      doneAbout: 'Hand these credentials to your program now.',
    },
    handover: {
      title: 'Credentials',
      once: 'The secret is shown only now.',
      onceMore:
        'Parley keeps it encrypted and cannot show it again. Copy it to where you keep passwords. If it is lost, you can replace it with a new one.',
      apiKey: 'API key',
      apiSecret: 'API secret',
      clientId: 'Client id',
      clientSecret: 'Client secret',
      env: 'For a .env file',
      envHint: 'Your program reads these from its environment.',
      try: 'Try it in a terminal',
      tryStatic: 'Signs a request with openssl and asks who the bot is.',
      tryOAuth: 'Asks for a token and makes a first call with it.',
      tryToken: 'Asks for a token. The scopes of this bot allow no call that only reads.',
      tryHint: 'Runs as it stands in any shell with curl.',
      keySame: 'The API key stays as it is; only the secret is new.',
      toBot: 'To the bot',
      leave: 'The secret was not copied and will not be shown again. Leave this page?',
    },
    tabs: {
      label: 'About this bot',
      settings: 'Settings',
      credentials: 'Credentials',
      deliveries: 'Deliveries',
      events: 'Events',
      signature: 'Signature checker',
    },
    head: {
      back: 'All bots',
      polling: 'Polls for its events',
      webhook: 'Has a webhook',
      missing: 'Bot',
    },
    settings: {
      wholeRequestsOnly: 'Accept only signatures of version 2',
      wholeRequestsOnlyHint:
        'Version 1 covers the time and the body. Whoever sees a request can send its body to another path for five minutes. Version 2 covers the whole request, once. Switch this on as soon as your program sends X-Signature-Version: 2.',
      general: 'General',
      rights: 'Permissions',
      events: 'Events',
      saved: 'The bot is saved.',
      unsaved: 'Not saved yet',
      discard: 'Discard changes',
      moves: 'A change of mode or address loses no event, and ends a pause.',
    },
    delete: {
      title: 'Delete',
      text: 'For a bot that is not needed any more. To stop it for a while, switch it off.',
      action: 'Delete bot',
      confirmTitle: (name: string) => `Delete ${name}?`,
      confirm:
        'This cannot be undone. Its credentials and its webhook stop working at once, events that it has not received are dropped, and it leaves its topics and org units. Its messages stay under its name.',
      done: (name: string) => `${name} was deleted.`,
    },
    power: {
      title: 'Switch off',
      offText:
        'A bot that is switched off can do nothing and hears nothing. It keeps its place in its topics, and what it wrote stays.',
      off: 'Switch bot off',
      confirmTitle: (name: string) => `Switch ${name} off?`,
      confirmStatic:
        'Its API key stops working at once and nothing is delivered to it. It stays a member of its topics and its messages stay. You can switch it on again at any time; events are kept for it meanwhile, as long as the organization keeps events.',
      confirmOAuth:
        'Its tokens are revoked at once and nothing is delivered to it. It stays a member of its topics and its messages stay. You can switch it on again at any time, and it then asks for a new token; events are kept for it meanwhile, as long as the organization keeps events.',
      switchedOff: (name: string) => `${name} is switched off.`,
      isOff: 'This bot is switched off: its credentials do not work, and nothing is delivered to it.',
      on: 'Switch bot on',
      switchedOn: (name: string) => `${name} is switched on.`,
    },
    credentialsTab: {
      title: 'Credentials',
      kind: 'Kind',
      static: 'API key and signature',
      oauth: 'OAuth 2 client credentials',
      key: 'API key',
      keyHint: 'begins with',
      clientId: 'Client id',
      secret: 'Secret',
      secretHidden: 'Kept encrypted; it cannot be shown.',
      tokenUrl: 'Token address',
      botId: 'Bot id',
      replace: {
        title: 'Replace key and secret',
        text: 'When both are lost, or when the key may have become known, too.',
        button: 'Replace key and secret',
        confirmTitle: (name: string) => `Replace key and secret of ${name}?`,
        confirm:
          'The old key and the old secret stop working at once: whatever still uses them is refused, and webhooks are signed with the new secret. Have the place ready where your program gets them from.',
        done: 'Key and secret are replaced. The old ones no longer work.',
        close: 'I have stored key and secret',
      },
      rotate: {
        title: 'Replace the secret',
        text: 'When the secret is lost, or when somebody may have seen it.',
        button: 'Replace secret',
        confirmTitle: (name: string) => `Replace the secret of ${name}?`,
        confirmStatic:
          'The old secret stops working at once: requests that are signed with it are refused, and webhooks are signed with the new one. The API key stays the same. Have the place ready where your program gets its secret from.',
        confirmOAuth:
          'The old secret stops working at once: no new token is given for it, and webhooks are signed with the new one. Tokens that are already given out live until they expire. Have the place ready where your program gets its secret from.',
        done: 'The secret is replaced. The old one no longer works.',
        close: 'I have stored the secret',
      },
    },
    events: {
      title: 'Events',
      about: 'What this bot receives, as it happens. The newest is on top.',
      following: 'Following',
      paused: 'Paused',
      pause: 'Pause events',
      follow: 'Follow events',
      type: 'Type of event',
      empty: 'No events yet',
      emptyText:
        'As soon as something happens in a topic that this bot is in, it appears here. Write something to try it.',
      emptyFilter: 'None of the events shown is of this type.',
      data: 'Data',
      number: 'Number',
      id: 'Id',
    },
    signature: {
      title: 'Check a signature',
      about:
        'Something is refused as unsigned, or your receiver does not accept what Parley sends? Enter what was sent: here is what should have been signed, and the signature that comes out.',
      oauth: 'This bot uses OAuth tokens and does not sign its requests. What can be checked are webhooks.',
      kind: 'What was signed',
      request: 'A request of the bot',
      requestHint: 'Your program calls Parley.',
      webhook: 'A webhook',
      webhookHint: 'Parley calls your address.',
      version: 'Version of the signature',
      version1: 'Version 1: time and body',
      version2: 'Version 2: the whole request',
      nonce: 'Nonce',
      nonceHint: 'The X-Nonce header, exactly as it was sent.',
      nonceRequired: 'Please give the nonce.',
      method: 'Method',
      target: 'Path and query',
      targetHint: 'As sent, without https:// and host: /v2/members?limit=2',
      timestamp: 'Timestamp',
      requestTimestamp: 'The X-Timestamp header, exactly as it was sent.',
      webhookTimestamp: 'The X-Service-Timestamp header, exactly as it arrived.',
      body: 'Body',
      bodyHint:
        'The raw body, byte for byte. A line break at its end counts. An uncompressed one, if it came with gzip.',
      signature: 'Signature',
      signatureHint: 'What was sent or received. Leave it empty to see only what is signed.',
      check: 'Check signature',
      timestampRequired: 'Please give the timestamp.',
      targetRequired: 'Please give the path.',
      matches: 'The signature matches.',
      differs: 'The signature does not match.',
      result: 'Result',
      signed: 'The text that is signed',
      signedHint:
        'Marks stand for characters that cannot be seen: · for a space, → for a tab, ↵ for a line break.',
      bytes: 'Its bytes',
      bytesCut: 'Only the first 4096 bytes are shown.',
      expected: 'Expected signature',
      expectedHidden:
        'The expected signature is not shown as long as somebody could use it: wait until the timestamp is older than five minutes. Whether a signature is right is said at any time.',
      length: (count: number) => plural.en(count, { one: '1 byte', other: `${count} bytes` }),
      hints: {
        timestamp_not_milliseconds:
          'The timestamp is not in milliseconds. Thirteen digits are expected, as in 1767225600000; many languages count in seconds.',
        timestamp_too_old:
          'The timestamp is more than five minutes away from now. A request with it is refused whatever its signature; check the clock of the machine.',
        uppercase: 'The signature is right, but in capital letters. Only lowercase hex counts.',
        base64: 'The signature is right, but written in Base64. Lowercase hex is expected.',
        body_without_timestamp:
          'The timestamp was not signed with it. It belongs in front, followed by a dot: {timestamp}.{body}, or for GET {timestamp}.{path}',
        whole_url:
          'The whole address was signed. Only the path with its query counts, without https:// and host.',
        trailing_newline:
          'A line break at the end makes the difference: it was signed but not sent, or the other way round.',
        body_not_hashed:
          'The body itself was signed. The last line is its SHA-256 in lowercase hex; without a body, that of no bytes.',
        nonce_malformed: 'The nonce must have 16 to 128 letters, digits, - and _.',
        version_1:
          'This is a signature of version 1. Leave out X-Signature-Version, or sign the whole request.',
        version_2: 'This is a signature of version 2. Send X-Signature-Version: 2 with it.',
        version_too_low:
          'The signature is right, but this bot is set to accept version 2 only. Sign the whole request, or change the setting.',
        wrong_secret:
          'The signature belongs to other text or another secret. Compare the text below with what your program signs, and make sure that it uses the secret, not the key, and the newest one. A secret that was read from a file may end with a line break.',
      },
    },
  },
  de: {
    title: 'Bots',
    about: 'Programme, die wie Menschen an Themen teilnehmen: Sie lesen, schreiben und reagieren.',
    newBot: 'Neuer Bot',
    empty: {
      title: 'Noch keine Bots',
      text: 'Ein Bot ist ein Programm mit einem Namen und einem Platz in Ihren Themen. Er liest, was dort geschrieben wird, und kann antworten, Aufgaben anlegen oder Umfragen starten. Sie schreiben ihn in einer beliebigen Sprache; Parley gibt ihm seine Zugangsdaten.',
    },
    columns: {
      name: 'Name',
      credential: 'Zugangsdaten',
      rights: 'Berechtigungen',
      delivery: 'Ereignisse',
      state: 'Zustand',
      created: 'Angelegt',
    },
    states: {
      active: 'Aktiv',
      off: 'Abgeschaltet',
      failing: 'Webhook schlägt fehl',
      paused: 'Webhook ruht',
    },
    credentials: { static: 'API-Schlüssel', oauth: 'OAuth 2' },
    permissions: { read: 'Lesen', write: 'Lesen und schreiben' },
    scopeCount: (count: number, all: number) =>
      count === all
        ? 'Alle Scopes'
        : count === 0
          ? 'Kein Scope'
          : plural.de(count, { one: '1 Scope', other: `${count} Scopes` }),
    deliveries: { polling: 'Abholung', webhook: 'Webhook' },
    name: { label: 'Name', hint: 'Andere sehen ihn neben allem, was der Bot schreibt.' },
    credential: {
      legend: 'Wie er sich ausweist',
      static: 'API-Schlüssel und Signatur',
      staticHint:
        'Ein Schlüssel und ein Geheimnis, das jede Anfrage signiert. Am schnellsten eingerichtet; für die meisten Bots das Richtige.',
      oauth: 'OAuth 2 Client Credentials',
      oauthHint:
        'Er tauscht eine Kennung und ein Geheimnis gegen Tokens, die nach einiger Zeit ablaufen. Richtig, wenn er nur wenig dürfen soll oder ein Proxy seine Anfragen verändert.',
    },
    permission: {
      legend: 'Was er darf',
      write: 'Lesen und schreiben',
      writeHint: 'Alles, was die API bietet, in den Themen, in denen er ist.',
      read: 'Nur lesen',
      readHint:
        'Er sieht, was in seinen Themen geschieht, und ändert nichts, außer Nachrichten als gelesen zu markieren.',
    },
    scopes: {
      legend: 'Was er darf',
      hint: 'Nehmen Sie weg, was er nicht braucht; das lässt sich später ändern.',
      all: 'Alle Scopes wählen',
      none: 'Keinen Scope wählen',
      nothing: 'Ganz ohne Scope kann der Bot gar nichts tun.',
      groups: {
        topics: 'Themen',
        messages: 'Nachrichten',
        work: 'Aufgaben und Umfragen',
        people: 'Menschen',
        events: 'Ereignisse',
        storage: 'Eigener Speicher',
      },
    },
    scopeTexts: {
      'channel:list': 'Die Liste der Themen sehen, in denen er ist',
      'channel:read': 'Ein Thema und die Labels der Organisation ansehen',
      'channel:write': 'Themen anlegen und umbenennen, Mitglieder hinzufügen und entfernen, Labels setzen',
      'message:read': 'Nachrichten und ihre Dateien lesen',
      'message:send': 'Nachrichten und Dateien senden',
      'message:write':
        'Eigene Nachrichten ändern und löschen, Nachrichten als zugestellt und gelesen markieren',
      'reaction:write': 'Auf Nachrichten reagieren und eigene Reaktionen zurücknehmen',
      'task:read': 'Aufgaben lesen',
      'task:write': 'Aufgaben anlegen, ändern und löschen',
      'poll:write': 'Umfragen starten, abstimmen und Stimmen zurücknehmen',
      'member:read': 'Sehen, wer in der Organisation und in ihren Einheiten ist',
      'member:write': 'Mitglieder in Einheiten aufnehmen und daraus entfernen',
      'updates:read': 'Ereignisse abholen; ein Webhook braucht das nicht',
      'storage:read': 'Lesen, was er für sich ablegt; kein anderer Bot kann das',
      'storage:write': 'Eigene Daten ablegen und löschen',
    },
    delivery: {
      legend: 'Wie er von Ereignissen erfährt',
      polling: 'Er fragt (Long Polling)',
      pollingHint:
        'Der Bot hält eine Anfrage offen, und Parley antwortet, wenn etwas geschieht. Das geht von überall, auch hinter einer Firewall.',
      webhook: 'Er wird gerufen (Webhook)',
      webhookHint:
        'Parley ruft für jedes Ereignis eine Adresse von Ihnen auf, signiert den Aufruf und versucht es noch einmal, wenn er fehlschlägt.',
      url: 'Webhook-Adresse',
      urlHint:
        'Dorthin gehen die Ereignisse per POST. Jede Antwort von 200 bis 299 innerhalb von 10 Sekunden gilt als angekommen.',
      urlRequired: 'Bitte geben Sie die Adresse an, die aufgerufen werden soll.',
      gzip: 'Große Inhalte komprimieren',
      gzipHint: 'Ab 16 KiB, mit gzip. Signiert wird vor der Kompression.',
      rate: 'Zustellungen pro Sekunde beim Nachholen',
      rateHint: 'Wie schnell Verpasstes nach einer Pause oder Wiederholung gesendet wird.',
      rateMistake: 'Bitte geben Sie eine ganze Zahl von 1 bis 1000 an.',
    },
    topics: {
      legend: 'Themen',
      hint: 'Ein Bot bekommt jede Nachricht der Themen, in denen er ist, und keine andere.',
    },
    votes: {
      label: 'Ereignisse zu Abstimmungen senden',
      hint: 'Wenn jemand in einer Umfrage abstimmt oder eine Stimme zurücknimmt.',
    },
    create: {
      title: 'Neuer Bot',
      about: 'Er ist sofort bereit. Alles außer der Art der Zugangsdaten lässt sich später ändern.',
      button: 'Bot anlegen',
      nameRequired: 'Bitte geben Sie dem Bot einen Namen.',
      done: (name: string) => `${name} ist bereit`,
      doneAbout: 'Übergeben Sie diese Zugangsdaten jetzt Ihrem Programm.',
    },
    handover: {
      title: 'Zugangsdaten',
      once: 'Das Geheimnis sehen Sie nur jetzt.',
      onceMore:
        'Parley bewahrt es verschlüsselt auf und kann es nicht noch einmal zeigen. Kopieren Sie es dorthin, wo Sie Passwörter aufbewahren. Geht es verloren, können Sie es durch ein neues ersetzen.',
      apiKey: 'API-Schlüssel',
      apiSecret: 'API-Geheimnis',
      clientId: 'Client-ID',
      clientSecret: 'Client-Geheimnis',
      env: 'Für eine .env-Datei',
      envHint: 'Ihr Programm liest diese Werte aus seiner Umgebung.',
      try: 'Im Terminal ausprobieren',
      tryStatic: 'Signiert eine Anfrage mit openssl und fragt, wer der Bot ist.',
      tryOAuth: 'Holt ein Token und macht damit einen ersten Aufruf.',
      tryToken: 'Holt ein Token. Die Scopes dieses Bots erlauben keinen Aufruf, der nur liest.',
      tryHint: 'Läuft so, wie es dasteht, in jeder Shell mit curl.',
      keySame: 'Der API-Schlüssel bleibt, wie er ist; nur das Geheimnis ist neu.',
      toBot: 'Zum Bot',
      leave: 'Das Geheimnis wurde nicht kopiert und wird nicht noch einmal gezeigt. Diese Seite verlassen?',
    },
    tabs: {
      label: 'Über diesen Bot',
      settings: 'Einstellungen',
      credentials: 'Zugangsdaten',
      deliveries: 'Zustellungen',
      events: 'Ereignisse',
      signature: 'Signatur prüfen',
    },
    head: {
      back: 'Alle Bots',
      polling: 'Holt seine Ereignisse ab',
      webhook: 'Hat einen Webhook',
      missing: 'Bot',
    },
    settings: {
      wholeRequestsOnly: 'Nur Signaturen der Version 2 annehmen',
      wholeRequestsOnlyHint:
        'Version 1 schützt Zeit und Inhalt. Wer eine Anfrage sieht, kann ihren Inhalt fünf Minuten lang an einen anderen Pfad senden. Version 2 schützt die ganze Anfrage, und jede gilt nur einmal. Schalten Sie dies ein, sobald Ihr Programm X-Signature-Version: 2 sendet.',
      general: 'Allgemein',
      rights: 'Berechtigungen',
      events: 'Ereignisse',
      saved: 'Der Bot ist gespeichert.',
      unsaved: 'Noch nicht gespeichert',
      discard: 'Änderungen verwerfen',
      moves: 'Wenn Sie den Weg oder die Adresse ändern, geht kein Ereignis verloren, und eine Pause endet.',
    },
    delete: {
      title: 'Löschen',
      text: 'Für einen Bot, der nicht mehr gebraucht wird. Um ihn nur anzuhalten, schalten Sie ihn ab.',
      action: 'Bot löschen',
      confirmTitle: (name: string) => `${name} löschen?`,
      confirm:
        'Das lässt sich nicht rückgängig machen. Zugangsdaten und Webhook gelten sofort nicht mehr, Ereignisse, die er noch nicht empfangen hat, werden verworfen, und er verlässt seine Themen und Einheiten. Seine Nachrichten bleiben unter seinem Namen stehen.',
      done: (name: string) => `${name} wurde gelöscht.`,
    },
    power: {
      title: 'Abschalten',
      offText:
        'Ein abgeschalteter Bot kann nichts tun und erfährt nichts. Er behält seinen Platz in seinen Themen, und was er geschrieben hat, bleibt.',
      off: 'Bot abschalten',
      confirmTitle: (name: string) => `${name} abschalten?`,
      confirmStatic:
        'Sein API-Schlüssel gilt sofort nicht mehr, und ihm wird nichts zugestellt. Er bleibt Mitglied seiner Themen, und seine Nachrichten bleiben. Sie können ihn jederzeit wieder einschalten; Ereignisse werden so lange für ihn aufbewahrt, wie die Organisation Ereignisse aufbewahrt.',
      confirmOAuth:
        'Seine Tokens werden sofort widerrufen, und ihm wird nichts zugestellt. Er bleibt Mitglied seiner Themen, und seine Nachrichten bleiben. Sie können ihn jederzeit wieder einschalten, dann holt er sich ein neues Token; Ereignisse werden so lange für ihn aufbewahrt, wie die Organisation Ereignisse aufbewahrt.',
      switchedOff: (name: string) => `${name} ist abgeschaltet.`,
      isOff: 'Dieser Bot ist abgeschaltet: Seine Zugangsdaten gelten nicht, und ihm wird nichts zugestellt.',
      on: 'Bot einschalten',
      switchedOn: (name: string) => `${name} ist eingeschaltet.`,
    },
    credentialsTab: {
      title: 'Zugangsdaten',
      kind: 'Art',
      static: 'API-Schlüssel und Signatur',
      oauth: 'OAuth 2 Client Credentials',
      key: 'API-Schlüssel',
      keyHint: 'beginnt mit',
      clientId: 'Client-ID',
      secret: 'Geheimnis',
      secretHidden: 'Verschlüsselt aufbewahrt; es kann nicht gezeigt werden.',
      tokenUrl: 'Adresse für Tokens',
      botId: 'Bot-ID',
      replace: {
        title: 'Schlüssel und Geheimnis ersetzen',
        text: 'Wenn beide verloren gingen, oder wenn auch der Schlüssel bekannt geworden sein könnte.',
        button: 'Schlüssel und Geheimnis ersetzen',
        confirmTitle: (name: string) => `Schlüssel und Geheimnis von ${name} ersetzen?`,
        confirm:
          'Der alte Schlüssel und das alte Geheimnis gelten sofort nicht mehr: Was sie noch benutzt, wird abgelehnt, und Webhooks werden mit dem neuen Geheimnis signiert. Halten Sie den Ort bereit, von dem Ihr Programm sie bekommt.',
        done: 'Schlüssel und Geheimnis sind ersetzt. Die alten gelten nicht mehr.',
        close: 'Ich habe Schlüssel und Geheimnis gesichert',
      },
      rotate: {
        title: 'Geheimnis ersetzen',
        text: 'Wenn das Geheimnis verloren ging, oder wenn jemand es gesehen haben könnte.',
        button: 'Geheimnis ersetzen',
        confirmTitle: (name: string) => `Das Geheimnis von ${name} ersetzen?`,
        confirmStatic:
          'Das alte Geheimnis gilt sofort nicht mehr: Anfragen, die damit signiert sind, werden abgelehnt, und Webhooks werden mit dem neuen signiert. Der API-Schlüssel bleibt derselbe. Halten Sie den Ort bereit, von dem Ihr Programm sein Geheimnis bekommt.',
        confirmOAuth:
          'Das alte Geheimnis gilt sofort nicht mehr: Es gibt dafür kein neues Token, und Webhooks werden mit dem neuen signiert. Bereits ausgegebene Tokens gelten, bis sie ablaufen. Halten Sie den Ort bereit, von dem Ihr Programm sein Geheimnis bekommt.',
        done: 'Das Geheimnis ist ersetzt. Das alte gilt nicht mehr.',
        close: 'Ich habe das Geheimnis gesichert',
      },
    },
    events: {
      title: 'Ereignisse',
      about: 'Was dieser Bot empfängt, sobald es geschieht. Das Neueste steht oben.',
      following: 'Läuft mit',
      paused: 'Angehalten',
      pause: 'Ereignisse anhalten',
      follow: 'Ereignissen folgen',
      type: 'Art des Ereignisses',
      empty: 'Noch keine Ereignisse',
      emptyText:
        'Sobald in einem Thema dieses Bots etwas geschieht, erscheint es hier. Schreiben Sie etwas, um es auszuprobieren.',
      emptyFilter: 'Keines der gezeigten Ereignisse ist von dieser Art.',
      data: 'Daten',
      number: 'Nummer',
      id: 'ID',
    },
    signature: {
      title: 'Eine Signatur prüfen',
      about:
        'Etwas wird als nicht signiert abgelehnt, oder Ihr Empfänger nimmt nicht an, was Parley sendet? Geben Sie ein, was gesendet wurde: Hier sehen Sie, was signiert gehört und welche Signatur dabei herauskommt.',
      oauth:
        'Dieser Bot verwendet OAuth-Tokens und signiert seine Anfragen nicht. Prüfen lassen sich seine Webhooks.',
      kind: 'Was signiert wurde',
      request: 'Eine Anfrage des Bots',
      requestHint: 'Ihr Programm ruft Parley auf.',
      webhook: 'Ein Webhook',
      webhookHint: 'Parley ruft Ihre Adresse auf.',
      version: 'Version der Signatur',
      version1: 'Version 1: Zeit und Inhalt',
      version2: 'Version 2: die ganze Anfrage',
      nonce: 'Nonce',
      nonceHint: 'Der Header X-Nonce, genau so, wie er gesendet wurde.',
      nonceRequired: 'Bitte geben Sie die Nonce an.',
      method: 'Methode',
      target: 'Pfad und Abfrage',
      targetHint: 'Wie gesendet, ohne https:// und Rechnername: /v2/members?limit=2',
      timestamp: 'Zeitstempel',
      requestTimestamp: 'Der Header X-Timestamp, genau so, wie er gesendet wurde.',
      webhookTimestamp: 'Der Header X-Service-Timestamp, genau so, wie er ankam.',
      body: 'Inhalt (Body)',
      bodyHint:
        'Der rohe Inhalt, Byte für Byte. Ein Zeilenumbruch am Ende zählt. Unkomprimiert, falls er mit gzip kam.',
      signature: 'Signatur',
      signatureHint: 'Was gesendet oder empfangen wurde. Bleibt sie leer, sehen Sie nur, was signiert wird.',
      check: 'Signatur prüfen',
      timestampRequired: 'Bitte geben Sie den Zeitstempel an.',
      targetRequired: 'Bitte geben Sie den Pfad an.',
      matches: 'Die Signatur stimmt.',
      differs: 'Die Signatur stimmt nicht.',
      result: 'Ergebnis',
      signed: 'Der Text, der signiert wird',
      signedHint:
        'Zeichen, die man nicht sieht, sind markiert: · für ein Leerzeichen, → für einen Tabulator, ↵ für einen Zeilenumbruch.',
      bytes: 'Seine Bytes',
      bytesCut: 'Nur die ersten 4096 Bytes werden gezeigt.',
      expected: 'Erwartete Signatur',
      expectedHidden:
        'Die erwartete Signatur wird nicht gezeigt, solange jemand sie benutzen könnte: Warten Sie, bis der Zeitstempel älter als fünf Minuten ist. Ob eine Signatur stimmt, erfahren Sie jederzeit.',
      length: (count: number) => plural.de(count, { one: '1 Byte', other: `${count} Bytes` }),
      hints: {
        timestamp_not_milliseconds:
          'Der Zeitstempel ist nicht in Millisekunden. Erwartet werden dreizehn Ziffern wie in 1767225600000; viele Sprachen zählen Sekunden.',
        timestamp_too_old:
          'Der Zeitstempel liegt mehr als fünf Minuten von jetzt entfernt. Eine Anfrage damit wird abgelehnt, egal wie sie signiert ist; prüfen Sie die Uhr des Rechners.',
        uppercase: 'Die Signatur ist richtig, aber in Großbuchstaben. Nur Kleinbuchstaben zählen.',
        base64: 'Die Signatur ist richtig, aber in Base64 geschrieben. Erwartet wird Hex in Kleinbuchstaben.',
        body_without_timestamp:
          'Der Zeitstempel wurde nicht mit signiert. Er gehört davor, gefolgt von einem Punkt: {timestamp}.{body}, oder bei GET {timestamp}.{path}',
        whole_url:
          'Die ganze Adresse wurde signiert. Es zählt nur der Pfad mit seiner Abfrage, ohne https:// und Rechnername.',
        trailing_newline:
          'Ein Zeilenumbruch am Ende macht den Unterschied: Er wurde signiert, aber nicht gesendet, oder umgekehrt.',
        body_not_hashed:
          'Der Inhalt selbst wurde signiert. In die letzte Zeile gehört sein SHA-256 in Hex mit Kleinbuchstaben; ohne Inhalt der von null Bytes.',
        nonce_malformed: 'Die Nonce muss aus 16 bis 128 Buchstaben, Ziffern, - und _ bestehen.',
        version_1:
          'Das ist eine Signatur der Version 1. Lassen Sie X-Signature-Version weg, oder signieren Sie die ganze Anfrage.',
        version_2: 'Das ist eine Signatur der Version 2. Senden Sie X-Signature-Version: 2 mit.',
        version_too_low:
          'Die Signatur ist richtig, aber dieser Bot nimmt nur Version 2 an. Signieren Sie die ganze Anfrage, oder ändern Sie die Einstellung.',
        wrong_secret:
          'Die Signatur gehört zu einem anderen Text oder zu einem anderen Geheimnis. Vergleichen Sie den Text unten mit dem, was Ihr Programm signiert, und achten Sie darauf, dass es das Geheimnis nimmt, nicht den Schlüssel, und das neueste. Ein Geheimnis, das aus einer Datei gelesen wurde, endet manchmal mit einem Zeilenumbruch.',
      },
    },
  },
})
