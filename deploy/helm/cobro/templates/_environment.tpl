{{/* A variable from a Secret. Takes name, secret, key. */}}
{{- define "cobro.secretVariable" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ .secret | quote }}, key: {{ .key | quote }}}}
{{- end }}

{{/* The settings from which services' variables take values, by their names in files/services.json. */}}
{{- define "cobro.settings" -}}
{{- $v := .root.Values -}}
{{- dict
  "bankUrl" (include "cobro.bankUrl" .root)
  "acquirers" .root.Values.bank.others
  "checkoutBaseUrl" ($v.checkoutBaseUrl | default (and $v.hosts.main (printf "https://%s" $v.hosts.main)))
  "dashboardBaseUrl" (include "cobro.dashboardBaseUrl" .root)
  "apiBaseUrl" (and $v.hosts.main (printf "https://%s/api" $v.hosts.main))
  "keyMode" $v.keyMode
  "trustedProxyHops" $v.trustedProxyHops
  "logLevel" $v.logLevel
  "eventsPrefix" $v.rabbitmq.prefix
  "redisPrefix" $v.redis.prefix
  "drainDelayMs" (.values.drainDelayMs | toString)
  | toJson -}}
{{- end }}

{{- define "cobro.dashboardBaseUrl" -}}
{{- .Values.dashboardBaseUrl | default (and .Values.hosts.dashboard (printf "https://%s" .Values.hosts.dashboard)) -}}
{{- end }}

{{/* The proxy to the bank, or our tokens at acquirers, where there are any. Takes root, name, of. */}}
{{- define "cobro.ofBank" -}}
{{- with index .root.Values.bank .of }}
{{- $own := include "cobro.ownBank" $.root }}
{{- if .existingSecret }}
{{ include "cobro.secretVariable" (dict "name" $.name "secret" .existingSecret "key" .key) }}
{{- else if and $own (eq $.of "token") }}
{{ include "cobro.secretVariable" (dict "name" $.name "secret" (index $.root.Values $own).existingSecret "key" "token") }}
{{- end }}
{{- end }}
{{- end }}

{{/* The environment of one service, each name once. Takes root, name, service (files/services.json) and values. */}}
{{- define "cobro.environment" -}}
{{- $v := .root.Values -}}
{{- $full := include "cobro.fullname" .root -}}
{{- $own := mergeOverwrite (deepCopy $v.env) (deepCopy .values.env) -}}
{{- $settings := include "cobro.settings" . | fromJson -}}
{{- range $variable, $from := .service.variables }}
{{- $inClear := dict "root" $.root "what" (printf "%s of %s" $variable $.name) -}}
{{- if hasKey $own $variable }}
{{- if or $from.port $from.store $from.key $from.service $from.ofBank $from.tls $from.own (eq ($from.setting | default "") "keyMode") }}{{ fail (printf "env.%s: the chart sets this variable itself" $variable) }}{{ end }}
{{- if and (eq $variable "CLOCK_URL") (eq $v.keyMode "live") }}{{ fail "env.CLOCK_URL lets somebody move the clock: it is not for keyMode live" }}{{ end }}
{{- if has $variable (list "BANK_URL" "CHECKOUT_BASE_URL" "STRIPE_URL") }}{{ include "cobro.refuseInClear" (set $inClear "address" (index $own $variable)) }}{{ end }}
- {name: {{ $variable }}, value: {{ index $own $variable | toString | quote }}}
{{- else if $from.port }}
- {name: {{ $variable }}, value: {{ $from.port | toString | quote }}}
{{- else if $from.store }}
{{- $store := index $v $from.store }}
{{ include "cobro.secretVariable" (dict "name" $variable "secret" $store.existingSecret "key" (replace "{service}" $.name $store.urlKey)) }}
{{- else if $from.key }}
{{ include "cobro.secretVariable" (dict "name" $variable "secret" $v.keys.existingSecret "key" (index $v.keys.names $from.key | default $from.key)) }}
{{- else if $from.own }}
{{ include "cobro.secretVariable" (dict "name" $variable "secret" (index $v $.name).existingSecret "key" $from.own) }}
{{- else if $from.service }}
- {name: {{ $variable }}, value: {{ printf "%s://%s-%s:%d" (include "cobro.scheme" $.root) $full $from.service (int $from.at) | quote }}}
{{- else if $from.tls }}
{{- else if $from.ofBank }}
{{- include "cobro.ofBank" (dict "root" $.root "name" $variable "of" $from.ofBank) }}
{{- else if $from.setting }}
{{- $value := index $settings $from.setting | toString }}
{{- if and $from.required (not $value) }}{{ fail (printf "%s of %s is needed: set %s" $variable $.name (index (dict "bankUrl" "bank.url" "checkoutBaseUrl" "hosts.main or checkoutBaseUrl") $from.setting | default $from.setting)) }}{{ end }}
{{- if $value }}
{{- if eq $variable "CHECKOUT_BASE_URL" }}{{ include "cobro.refuseInClear" (set $inClear "address" $value) }}{{ end }}
- {name: {{ $variable }}, value: {{ $value | quote }}}
{{- end }}
{{- else if $from.required }}{{ fail (printf "services.%s.env.%s is needed" $.name $variable) }}
{{- end }}
{{- end }}
{{- range $variable, $_ := .values.env }}
{{- if not (hasKey $.service.variables $variable) }}{{ fail (printf "services.%s.env.%s: %s takes no such variable" $.name $variable $.name) }}{{ end }}
{{- end }}
{{- if $v.tls.existingSecret }}
- {name: TLS_FOLDER, value: /tls}
- {name: TLS_REQUIRED, value: {{ eq $v.tls.mode "required" | quote }}}
{{- end }}
{{- with $v.monitoring.exporter }}
- {name: OTEL_METRICS_EXPORTER, value: {{ . | quote }}}
{{- if eq . "prometheus" }}
- {name: OTEL_EXPORTER_PROMETHEUS_HOST, value: 0.0.0.0}
{{- end }}
{{- if not $v.telemetry.endpoint }}
- {name: OTEL_SERVICE_NAME, value: {{ $.name | quote }}}
{{- end }}
{{- end }}
{{ include "cobro.processEnvironment" (dict "root" .root "name" .name "memory" (dig "resources" "limits" "memory" "" .values)) }}
{{- end }}

{{/* What every process of ours has besides. Takes root, name and memory, the limit. */}}
{{- define "cobro.processEnvironment" -}}
{{- $heap := "" -}}
{{- $memory := .memory | toString -}}
{{- if hasSuffix "Gi" $memory }}{{ $heap = trimSuffix "Gi" $memory | float64 | mulf 768 | int }}
{{- else if hasSuffix "Mi" $memory }}{{ $heap = trimSuffix "Mi" $memory | float64 | mulf 0.75 | int }}{{ end -}}
{{- if $heap }}
- {name: NODE_OPTIONS, value: {{ printf "--max-old-space-size=%d" (int $heap) | quote }}}
{{- end }}
{{- if .root.Values.telemetry.endpoint }}
- {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ .root.Values.telemetry.endpoint | quote }}}
- {name: OTEL_SERVICE_NAME, value: {{ .name | quote }}}
{{- end }}
{{- if include "cobro.authorities" .root }}
- {name: TRUSTED_AUTHORITIES, value: /authorities}
{{- end }}
{{- if include "cobro.clientCertificates" .root }}
- {name: CLIENT_CERTIFICATES, value: /client-certificates}
{{- end }}
{{- range $variable, $given := .root.Values.extraEnv }}
{{- if kindIs "string" $given }}
- {name: {{ $variable }}, value: {{ $given | quote }}}
{{- else }}
- {name: {{ $variable }}, valueFrom: {{ toJson $given }}}
{{- end }}
{{- end }}
{{- end }}

{{/* The Secrets and ConfigMaps with certificates of authorities, as sources of a projected volume. An acquirer's adapter of ours is called as a bank is, so our own authority is believed too. */}}
{{- define "cobro.authorities" -}}
{{- if eq (include "cobro.scheme" .) "https" }}
{{- range $name, $service := include "cobro.services" . | fromJson }}
{{- if $service.acquirer }}
- secret: {name: {{ replace "{service}" $name $.Values.tls.existingSecret | quote }}, items: [{key: ca.crt, path: {{ $name }}.crt}]}
{{- end }}
{{- end }}
{{- end }}
{{- range $server := list "postgres" "rabbitmq" "redis" "bank" }}
{{- $of := (index $.Values $server).authority }}
{{- if $of.existingSecret }}
- secret: {name: {{ $of.existingSecret | quote }}, items: [{key: {{ $of.key | quote }}, path: {{ $server }}.crt}]}
{{- else if $of.existingConfigMap }}
- configMap: {name: {{ $of.existingConfigMap | quote }}, items: [{key: {{ $of.key | quote }}, path: {{ $server }}.crt}]}
{{- end }}
{{- end }}
{{- end }}

{{/* The Secrets with certificates that our processes show to servers, likewise. */}}
{{- define "cobro.clientCertificates" -}}
{{- range $server := list "postgres" "rabbitmq" "redis" "bank" }}
{{- with (index $.Values $server).clientCertificate.existingSecret }}
- secret: {name: {{ . | quote }}, items: [{key: tls.crt, path: {{ $server }}.crt}, {key: tls.key, path: {{ $server }}.key}]}
{{- end }}
{{- end }}
{{- end }}

{{/* How our processes call each other. */}}
{{- define "cobro.scheme" -}}
{{- with .Values.tls }}{{ ternary "https" "http" (and (ne .existingSecret "") (ne .mode "offered")) }}{{ end -}}
{{- end }}

{{/* The environment of the operations image: the addresses of every schema, those of acquirers only where they are asked for. Takes root and acquirers. */}}
{{- define "cobro.operationsEnvironment" -}}
{{- $v := .root.Values -}}
{{- range $name, $service := include "cobro.services" .root | fromJson }}
{{- if or $.acquirers (not $service.acquirer) }}
{{ include "cobro.secretVariable" (dict "name" (printf "%s_DATABASE_URL" (upper $name)) "secret" $v.postgres.existingSecret "key" (replace "{service}" $name $v.postgres.urlKey)) }}
{{- end }}
{{- end }}
{{ include "cobro.processEnvironment" (dict "root" .root "name" "operations" "memory" "") }}
{{- end }}

{{/* The addresses of the schemas' owners and of the broker's administrator, for the operations image. */}}
{{- define "cobro.ownerEnvironment" -}}
{{- range $name, $_ := include "cobro.services" . | fromJson }}
{{ include "cobro.secretVariable" (dict "name" (printf "%s_OWNER_URL" (upper $name)) "secret" $.Values.postgres.existingSecret "key" (replace "{service}" $name $.Values.postgres.ownerUrlKey)) }}
{{- end }}
{{ include "cobro.secretVariable" (dict "name" "AMQP_URL" "secret" .Values.rabbitmq.existingSecret "key" .Values.rabbitmq.adminUrlKey) }}
{{- with .Values.rabbitmq.prefix }}
- {name: EVENTS_PREFIX, value: {{ . | quote }}}
{{- end }}
{{- end }}

{{/* How the operations image reaches the bank. */}}
{{- define "cobro.bankEnvironment" -}}
- {name: KEY_MODE, value: {{ .Values.keyMode | quote }}}
- {name: BANK_URL, value: {{ include "cobro.bankUrl" . | required "bank.url is needed: set bank.url" | quote }}}
{{- include "cobro.ofBank" (dict "root" . "name" "HTTPS_PROXY" "of" "proxy") }}
{{- include "cobro.ofBank" (dict "root" . "name" "BANK_TOKEN" "of" "token") }}
{{- with .Values.bank.others }}
- {name: ACQUIRERS, value: {{ . | quote }}}
{{- end }}
{{- include "cobro.ofBank" (dict "root" . "name" "ACQUIRER_TOKENS" "of" "otherTokens") }}
{{- end }}
