"""The Python client for Holdfast, the encrypted memory for software agents."""

from . import models, webhooks
from ._async_client import AsyncHoldfast, AsyncRun
from ._client import Holdfast, Run
from ._connection import DEFAULT_URL
from ._context import TriedContext, context_text
from ._errors import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    HoldfastConnectionError,
    HoldfastError,
    HoldfastTimeoutError,
    NotFoundError,
    PermissionDeniedError,
    ProposedError,
    QuotaError,
    RateLimitError,
    ScopeDeniedError,
    ServerError,
    UnavailableError,
    WebhookVerificationError,
)
from ._generated import __version__
from ._marks import defuse_marks, mark_recalled
from ._pages import AsyncPages, Page
from ._unset import UNSET

__all__ = [
    "DEFAULT_URL",
    "UNSET",
    "AsyncHoldfast",
    "AsyncPages",
    "AsyncRun",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "Holdfast",
    "HoldfastConnectionError",
    "HoldfastError",
    "HoldfastTimeoutError",
    "NotFoundError",
    "Page",
    "PermissionDeniedError",
    "ProposedError",
    "QuotaError",
    "RateLimitError",
    "Run",
    "ScopeDeniedError",
    "ServerError",
    "TriedContext",
    "UnavailableError",
    "WebhookVerificationError",
    "__version__",
    "context_text",
    "defuse_marks",
    "mark_recalled",
    "models",
    "webhooks",
]
