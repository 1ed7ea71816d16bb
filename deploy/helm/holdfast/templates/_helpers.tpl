{{- define "holdfast.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end -}}
{{- end }}

{{- define "holdfast.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "holdfast.labels" -}}
{{ include "holdfast.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* Each setting whose value is in a secret: where it is. */}}
{{- define "holdfast.secretSettings" -}}
{{- $all := dict "HOLDFAST_ROOT_KEY" (dict "secret" .Values.rootKey.existingSecret "key" .Values.rootKey.key) -}}
{{- with .Values.database.existingSecret -}}
{{- $_ := set $all "HOLDFAST_DATABASE_URL" (dict "secret" . "key" $.Values.database.key) -}}
{{- end -}}
{{- with .Values.metrics.existingSecret -}}
{{- $_ := set $all "HOLDFAST_METRICS_TOKEN" (dict "secret" . "key" $.Values.metrics.key) -}}
{{- end -}}
{{- merge $all .Values.secretSettings | toYaml -}}
{{- end }}
