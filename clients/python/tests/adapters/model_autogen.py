"""Stands for the reader's model of AutoGen."""

from __future__ import annotations

from autogen_core.models import ChatCompletionClient, CreateResult, ModelFamily, RequestUsage


class Parrot(ChatCompletionClient):
    """Repeats the messages that it was given."""

    async def create(self, messages, **_) -> CreateResult:  # type: ignore[no-untyped-def, override]
        said = "\n".join(str(one.content) for one in messages)
        usage = RequestUsage(prompt_tokens=1, completion_tokens=1)
        return CreateResult(finish_reason="stop", content=said, usage=usage, cached=False)

    def create_stream(self, *_, **__):  # type: ignore[no-untyped-def, override]
        raise NotImplementedError

    async def close(self) -> None:
        pass

    def actual_usage(self) -> RequestUsage:
        return RequestUsage(prompt_tokens=1, completion_tokens=1)

    total_usage = actual_usage

    def count_tokens(self, *_, **__) -> int:  # type: ignore[no-untyped-def, override]
        return 1

    def remaining_tokens(self, *_, **__) -> int:  # type: ignore[no-untyped-def, override]
        return 1000

    @property
    def capabilities(self):  # type: ignore[no-untyped-def, override]
        return self.model_info

    @property
    def model_info(self):  # type: ignore[no-untyped-def, override]
        return {
            "vision": False,
            "function_calling": False,
            "json_output": False,
            "structured_output": False,
            "family": ModelFamily.UNKNOWN,
        }


model = Parrot()
