from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from holdfast import Holdfast, WebhookVerificationError, webhooks

SECRET = f"whsec_{base64.b64encode(b'thirty-two bytes, neither more n').decode()}"
OTHER = f"whsec_{base64.b64encode(b'another thirty-two bytes, signed').decode()}"
EVENT = {
    "event": "message.created",
    "messageId": "m1",
    "userId": "u1",
    "timestamp": "2026-11-21T09:00:00.000Z",
}
BODY = json.dumps(EVENT)


def sign(body: str, *, by: str = SECRET, offset: float = 0) -> dict[str, str]:
    timestamp = str(int(time.time() + offset))
    key = base64.b64decode(by.removeprefix("whsec_"))
    mac = hmac.new(key, f"e1.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return {
        "webhook-id": "e1",
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
    }


def test_the_example_of_standard_webhooks_verifies() -> None:
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    event = webhooks.verify('{"test": 2432232314}', headers, secret, tolerance=float("inf"))
    assert event.to_dict() == {"test": 2432232314}


def test_a_signed_delivery_is_its_event() -> None:
    event = webhooks.verify(BODY, sign(BODY), SECRET)
    assert isinstance(event, webhooks.MessageCreatedEvent)
    assert (event.message_id, event.timestamp.hour) == ("m1", 9)
    titled = [(name.title(), value) for name, value in sign(BODY).items()]
    assert webhooks.verify(BODY.encode(), titled, SECRET) == event


def test_an_event_of_a_newer_server_has_the_base_class() -> None:
    body = '{"event":"folder.created","folderId":"f1","note":"Grüße 🌱"}'
    event = webhooks.verify(body, sign(body), SECRET)
    assert type(event) is webhooks.WebhookEvent
    assert event.folder_id == "f1"  # type: ignore[attr-defined]


def test_an_event_of_a_record_has_its_id() -> None:
    body = BODY.replace("message.created", "note.trashed").replace("messageId", "noteId")
    event = webhooks.verify(body, sign(body), SECRET)
    assert isinstance(event, webhooks.NoteTrashedEvent)
    assert event.note_id == "m1"


def test_one_valid_signature_among_several_is_enough() -> None:
    both = sign(BODY)
    other = sign(BODY, by=OTHER)["webhook-signature"]
    both["webhook-signature"] = f"{other} v2,x {both['webhook-signature']}"
    assert webhooks.verify(BODY, both, SECRET).event == "message.created"


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        (f"{BODY} ", {}),
        (BODY, {"webhook-id": "e2"}),
        (BODY, {"webhook-signature": "v1,%%%"}),
        (BODY, {"webhook-signature": "v1,ü"}),
        (BODY, {"webhook-signature": ""}),
        (BODY, {"webhook-signature": sign(BODY)["webhook-signature"].replace("v1", "v2")}),
        (BODY, {"webhook-signature": sign(BODY)["webhook-signature"][:20]}),
        (BODY, sign(BODY, by=OTHER)),
    ],
)
def test_other_signatures_are_refused(body: str, changed: dict[str, str]) -> None:
    with pytest.raises(WebhookVerificationError, match="No signature matches this secret"):
        webhooks.verify(body, {**sign(BODY), **changed}, SECRET)


@pytest.mark.parametrize("offset", [-302, 302])
def test_deliveries_of_another_time_are_refused(offset: float) -> None:
    late = sign(BODY, offset=offset)
    with pytest.raises(WebhookVerificationError, match="too far off"):
        webhooks.verify(BODY, late, SECRET)
    assert webhooks.verify(BODY, late, SECRET, tolerance=400).event == "message.created"


@pytest.mark.parametrize("timestamp", ["NaN", "1e9", "", "٣", "9" * 400])
def test_what_is_no_time_is_refused(timestamp: str) -> None:
    with pytest.raises(WebhookVerificationError, match="too far off"):
        webhooks.verify(BODY, {**sign(BODY), "webhook-timestamp": timestamp}, SECRET)


def test_the_other_header_is_checked_only_on_request() -> None:
    mac = hmac.new(SECRET.encode(), BODY.encode(), hashlib.sha256).hexdigest()
    fixed = {"X-Service-Signature": f"sha256={mac}"}
    with pytest.raises(WebhookVerificationError, match="are missing"):
        webhooks.verify(BODY, fixed, SECRET)
    event = webhooks.verify(BODY, fixed, SECRET, header="x-service-signature")
    assert event.event == "message.created"
    for body, headers in ((f"{BODY} ", fixed), (BODY, {"X-Service-Signature": "sha256=00"})):
        with pytest.raises(WebhookVerificationError, match="No signature"):
            webhooks.verify(body, headers, SECRET, header="x-service-signature")
    with pytest.raises(WebhookVerificationError, match="is missing"):
        webhooks.verify(BODY, sign(BODY), SECRET, header="x-service-signature")


@pytest.mark.parametrize("body", ["", "not JSON", '{"event":', "[]", "1"])
def test_a_signed_body_that_is_not_json_is_refused_without_quoting_it(body: str) -> None:
    with pytest.raises(WebhookVerificationError, match="is not JSON") as caught:
        webhooks.verify(body, sign(body), SECRET)
    assert caught.value.__cause__ is None


def test_wrong_use_is_reported() -> None:
    with pytest.raises(TypeError, match="body"):
        webhooks.verify(EVENT, sign(BODY), SECRET)  # type: ignore[arg-type]
    for secret in ("", "whsec_", "whsec_%"):
        with pytest.raises(ValueError, match="secret"):
            webhooks.verify(BODY, sign(BODY), secret)


def test_what_the_server_sends_verifies(server: Any, client: Holdfast) -> None:
    received: list[tuple[bytes, list[tuple[str, str]]]] = []
    arrived = threading.Semaphore(0)

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            received.append((self.rfile.read(length), list(self.headers.items())))
            self.send_response(204)
            self.end_headers()
            arrived.release()

        def log_message(self, *_: Any) -> None:
            pass

    receiver = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=receiver.serve_forever)
    thread.start()
    try:
        draft = {
            "url": f"http://127.0.0.1:{receiver.server_port}/",
            "events": ["message.created", "message.acknowledged"],
        }
        webhook = server.ask("POST", "/api/webhooks", draft)["webhook"]
        sent = client.send_message(target_id="cook", content="Dinner?")
        with Holdfast(server.url, server.make_key("Cook"), agent_id="cook") as cook:
            cook.ack_message(message_id=sent.message_id)
        for _ in range(2):
            assert arrived.acquire(timeout=60)
        server.ask("DELETE", f"/api/webhooks?id={webhook['id']}", {})
    finally:
        receiver.shutdown()
        thread.join()
        receiver.server_close()

    events = [webhooks.verify(body, headers, webhook["secret"]) for body, headers in received]
    fixed = [
        webhooks.verify(body, headers, webhook["secret"], header="x-service-signature")
        for body, headers in received
    ]
    assert fixed == events
    assert {event.event for event in events} == {"message.created", "message.acknowledged"}
    assert all(event.to_dict()["messageId"] == sent.message_id for event in events)
    [read] = [one for one in events if isinstance(one, webhooks.MessageAcknowledgedEvent)]
    assert read.acknowledged_by == "cook"
